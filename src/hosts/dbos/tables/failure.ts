import { SignalboxError } from "../../../core/failure/errors.ts";
import { redactPassword, withoutPassword } from "../../../core/text/database-address.ts";
import { quoted } from "./quoted.ts";

/** The server is away or goes away: the same words may succeed in a moment. Also where somebody only passes its error on. */
export function isLost(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLost);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return LOST_CODES.test(code) || tellsOfLoss(error.message) || isLost(error.cause);
}

/** There is a server, and it will let us in when it has recovered. */
export function isComingUp(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57P03";
}

export const tellsOfLoss = (text: string): boolean => LOST_WORDS.test(text);

const LOST_CODES = /^(08...|53300|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/;
const LOST_WORDS =
  /ECONN(REFUSED|RESET)|Connection terminated|terminating connection|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection|the database system is (starting up|shutting down|not yet accepting|in recovery)/;

export function unreachable(url: string, error: unknown): SignalboxError {
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    `Postgres at ${withoutPassword(url)} did not let us in: ${redactPassword(wordsOf(error), url)}.`,
    "Check that the server runs, and the address, user and password given with --postgres, SIGNALBOX_POSTGRES or `postgres:` of the configuration.",
  );
}

export function noAddress(): SignalboxError {
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    "What was given with --postgres or SIGNALBOX_POSTGRES is not an address of a Postgres.",
    "Write it as postgres://user@host:5432/database.",
  );
}

/** What a query's failure means to a person, where it is about the server or the role and not about the query. */
export function meaningOf(error: unknown, url: string): unknown {
  if (isLost(error)) return unreachable(url, error);
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (TOO_MUCH.has(String(error.code))) return tooMuch(url, error);
  return error.code === "42501" ? denied(url, error) : error;
}

/** A check of a table, and a bound that a function of the database holds. */
const TOO_MUCH: ReadonlySet<string> = new Set(["23514", "54000"]);

function tooMuch(url: string, cause: Error): SignalboxError {
  return new SignalboxError(
    "INPUT_INVALID",
    `Postgres at ${withoutPassword(url)} stored nothing, because there is a bound: ${redactPassword(cause.message, url)}.`,
    "Write less, such as a shorter note or request, or wait until the run has read what it was sent.",
    { cause },
  );
}

function denied(url: string, cause: Error): SignalboxError {
  return new SignalboxError(
    "DATABASE_DENIED",
    `The role of ${withoutPassword(url)} may not do that: ${redactPassword(cause.message, url)}.`,
    `Let somebody who may run, by psql, \`GRANT signalbox_member TO ${roleIn(url)};\`, or for a worker \`GRANT signalbox_worker TO ${roleIn(url)};\`. Where there is no such role yet, \`${migrateLine(url)}\` makes it, as a role that may create schemas and roles.`,
    { cause },
  );
}

/** The same refusal, to somebody who would make the tables: no right of a member helps there. */
export function meaningForMigration(error: unknown, url: string): unknown {
  const meant = meaningOf(error, url);
  if (!(meant instanceof SignalboxError && meant.code === "DATABASE_DENIED")) return meant;
  const name = quoted(decodeURIComponent(URL.parse(url)?.pathname.slice(1) ?? "") || "<the database>");
  return new SignalboxError(
    "DATABASE_DENIED",
    meant.message,
    `Migrate as the role that made the tables. Where there are none yet, let somebody who may run, by psql, \`GRANT CREATE ON DATABASE ${name} TO ${roleIn(url)};\`.`,
    { cause: meant.cause },
  );
}

export function noWorker(url: string, role: string): SignalboxError {
  return new SignalboxError(
    "DATABASE_DENIED",
    `The role of ${withoutPassword(url)} may submit and answer, but not work.`,
    `Let somebody who may run, by psql, \`GRANT ${role} TO ${roleIn(url)};\`, or start the worker as a role that has it.`,
  );
}

export function schemaOld(url: string, version: number): SignalboxError {
  return new SignalboxError(
    "SCHEMA_OLD",
    version === 0
      ? `${withoutPassword(url)} has no tables of Signalbox yet.`
      : `The tables in ${withoutPassword(url)} are of schema ${version}, older than this Signalbox.`,
    `Run \`${migrateLine(url)}\` once, as somebody who may create tables.`,
  );
}

export function schemaNewer(url: string, version: number): SignalboxError {
  return new SignalboxError(
    "SCHEMA_NEWER",
    `The tables in ${withoutPassword(url)} are of schema ${version}, newer than this Signalbox.`,
    "Use the version of Signalbox that the others of the team use.",
  );
}

/** Another role logs in by another name there. A password comes from ~/.pgpass or PGPASSWORD: none is ever printed. */
const migrateLine = (url: string): string => `signalbox migrate --postgres ${withoutPassword(url)}`;

/** As it logs in; without a name in the address it is the one that the driver of Postgres takes. */
function roleIn(url: string): string {
  const { username = "", searchParams } = URL.parse(url) ?? {};
  const named = searchParams?.get("user") ?? decodeURIComponent(username);
  return quoted(named || process.env["PGUSER"] || process.env["USER"] || "<the role>");
}

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
