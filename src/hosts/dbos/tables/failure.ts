import { SignalboxError } from "../../../core/failure/errors.ts";
import { hidePassword, redactPassword } from "../../../core/text/database-address.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

/** True if the server is unavailable and the same statement may succeed later. Also checks wrapped errors. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return LOST_CODES.test(code) || isConnectionLossText(error.message) || isConnectionLost(error.cause);
}

/** The server is starting up and will accept connections soon. */
export function isStartingUp(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57P03";
}

export const isConnectionLossText = (text: string): boolean => LOST_WORDS.test(text);

const LOST_CODES = /^(08...|53300|57P0[123]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/;
const LOST_WORDS =
  /ECONN(REFUSED|RESET)|Connection terminated|terminating connection|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection|the database system is (starting up|shutting down|not yet accepting|in recovery)/;

export function createUnreachableError(url: string, error: unknown): SignalboxError {
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    `Could not connect to Postgres at ${hidePassword(url)}: ${redactPassword(getErrorText(error), url)}.`,
    "Check that the server is running, and the address, user and password in --postgres, SIGNALBOX_POSTGRES or `postgres:` of the configuration.",
  );
}

export function createInvalidAddressError(): SignalboxError {
  return new SignalboxError(
    "DATABASE_UNREACHABLE",
    "The value of --postgres or SIGNALBOX_POSTGRES is not a Postgres address.",
    "Write it as postgres://user@host:5432/database.",
  );
}

/** Translates failures of the server or the role into an error for the user; returns other errors unchanged. */
export function toUserError(error: unknown, url: string): unknown {
  if (isConnectionLost(error)) return createUnreachableError(url, error);
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (LIMIT_CODES.has(String(error.code))) return createLimitError(url, error);
  return error.code === "42501" ? createDeniedError(url, error) : error;
}

/** A table's check constraint, and a limit enforced by a database function. */
const LIMIT_CODES: ReadonlySet<string> = new Set(["23514", "54000"]);

function createLimitError(url: string, cause: Error): SignalboxError {
  return new SignalboxError(
    "INPUT_INVALID",
    `Postgres at ${hidePassword(url)} stored nothing, because a limit was exceeded: ${redactPassword(cause.message, url)}.`,
    "Send less, such as a shorter note or request, or wait until the run has read its pending signals.",
    { cause },
  );
}

function createDeniedError(url: string, cause: Error): SignalboxError {
  return new SignalboxError(
    "DATABASE_DENIED",
    `The role used for ${hidePassword(url)} lacks a permission: ${redactPassword(cause.message, url)}.`,
    `Ask an administrator to run, in psql, \`GRANT signalbox_member TO ${getRoleName(url)};\`, or for a worker \`GRANT signalbox_worker TO ${getRoleName(url)};\`. If these roles do not exist yet, \`${formatMigrateCommand(url)}\` creates them, run as a role that may create schemas and roles.`,
    { cause },
  );
}

/** Like `toUserError`, for migrations: the roles for members do not grant the right to create tables. */
export function toMigrationError(error: unknown, url: string): unknown {
  const meant = toUserError(error, url);
  if (!(meant instanceof SignalboxError && meant.code === "DATABASE_DENIED")) return meant;
  const name = quoteIdentifier(decodeURIComponent(URL.parse(url)?.pathname.slice(1) ?? "") || "<the database>");
  return new SignalboxError(
    "DATABASE_DENIED",
    meant.message,
    `Migrate as the role that created the tables. If there are none yet, ask an administrator to run, in psql, \`GRANT CREATE ON DATABASE ${name} TO ${getRoleName(url)};\`.`,
    { cause: meant.cause },
  );
}

export function createMissingWorkerRoleError(url: string, role: string): SignalboxError {
  return new SignalboxError(
    "DATABASE_DENIED",
    `The role used for ${hidePassword(url)} may submit and answer, but not perform work.`,
    `Ask an administrator to run, in psql, \`GRANT ${role} TO ${getRoleName(url)};\`, or start the worker as a role that has it.`,
  );
}

export function createSchemaOldError(url: string, version: number): SignalboxError {
  return new SignalboxError(
    "SCHEMA_OLD",
    version === 0
      ? `${hidePassword(url)} has no Signalbox tables yet.`
      : `The tables in ${hidePassword(url)} have schema version ${version}, which is older than this Signalbox.`,
    `Run \`${formatMigrateCommand(url)}\` once, as a role that may create tables.`,
  );
}

export function createSchemaNewerError(url: string, version: number): SignalboxError {
  return new SignalboxError(
    "SCHEMA_NEWER",
    `The tables in ${hidePassword(url)} have schema version ${version}, which is newer than this Signalbox.`,
    "Install the Signalbox version that the rest of the team uses.",
  );
}

/** Contains no password: the other role logs in with its own name and takes it from ~/.pgpass or PGPASSWORD. */
const formatMigrateCommand = (url: string): string => `signalbox migrate --postgres ${hidePassword(url)}`;

/** The role that the address logs in as; without a user name, the default of the Postgres driver. */
function getRoleName(url: string): string {
  const { username = "", searchParams } = URL.parse(url) ?? {};
  const named = searchParams?.get("user") ?? decodeURIComponent(username);
  return quoteIdentifier(named || process.env["PGUSER"] || process.env["USER"] || "<the role>");
}

function getErrorText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getErrorText(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
