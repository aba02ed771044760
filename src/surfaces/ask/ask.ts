import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { AnswerLine, type QueryRefusal, type ReaderRequest, type SqlCell } from "./protocol.ts";

const TIMEOUT_MS = 2_000;
/** Allows for a slow process start on a busy machine. It does not count toward the query timeout. */
const START_MS = 15_000;
const LIMIT_ROWS = 1_000;

export type LedgerQuery = {
  readonly file: string;
  readonly sql: string;
  readonly limitRows?: number;
  readonly timeoutMs?: number;
};
export type LedgerAnswer = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlCell[])[];
  /** Rows were omitted, or a long text was cut. */
  readonly truncated: boolean;
};

/**
 * Runs a SQL query on a ledger. Contract: it writes nothing, reads nothing but the file, and answers or refuses within
 * the timeout once the query has started, because it runs in a separate process that terminates itself.
 */
export async function askLedger(question: LedgerQuery): Promise<LedgerAnswer> {
  const { file, sql, limitRows = LIMIT_ROWS, timeoutMs = TIMEOUT_MS } = question;
  if (!existsSync(file))
    throw new SignalboxError("USAGE", `No ledger exists at ${file}.`, "Start a run first: the first run creates it.");
  const reader = startReader({ file, sql, limitRows, timeoutMs });
  const alarm = setTimeout(() => reader.kill("SIGKILL"), START_MS + timeoutMs);
  try {
    const [answer] = await Promise.all([readAnswer(reader.stdout, file), once(reader, "exit")]);
    if (answer) return answer;
    throw reader.signalCode === "SIGKILL" ? createTimeoutError(timeoutMs) : createNoAnswerError();
  } finally {
    clearTimeout(alarm);
    reader.kill("SIGKILL");
  }
}

type Reader = ChildProcessByStdio<Writable, Readable, null>;

/** Starts the reader program, from the sources or from the built package. */
function startReader(request: ReaderRequest): Reader {
  const program = fileURLToPath(new URL(`./reader${extname(import.meta.url)}`, import.meta.url));
  const reader = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "ignore"], env: {} });
  // If the reader dies at once, its missing answer reports that.
  reader.stdin.on("error", () => undefined);
  reader.stdin.end(JSON.stringify(request));
  return reader;
}

/** Returns the answer, or undefined if the output ends early. */
async function readAnswer(stdout: Readable, file: string): Promise<LedgerAnswer | undefined> {
  let columns: readonly string[] = [];
  const rows: SqlCell[][] = [];
  for await (const text of createInterface({ input: stdout })) {
    const line = parseLine(text);
    if (!line) return undefined;
    if ("refused" in line) throw toError(line.refused, file);
    if ("end" in line) return { columns, rows, truncated: line.end.truncated };
    if ("columns" in line) columns = line.columns;
    else rows.push(line.row);
  }
  return undefined;
}

/** Returns undefined for text that is not JSON: the last line of a killed reader may be incomplete. */
function parseLine(text: string): AnswerLine | undefined {
  try {
    return AnswerLine.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toError({ message, tables, damaged }: QueryRefusal, file: string): SignalboxError {
  if (damaged) {
    return new SignalboxError(
      "DATABASE_DAMAGED",
      `${file} cannot be read: ${message}.`,
      "No data was changed. Restore a backup, or recover it with `sqlite3 FILE .recover`.",
    );
  }
  const named = tables.length > 0 ? ` Tables: ${tables.join(", ")}.` : "";
  return new SignalboxError("USAGE", `The query was refused: ${message}.`, `Send a single SELECT statement.${named}`);
}

function createTimeoutError(timeoutMs: number): SignalboxError {
  const message = `The query was stopped: it did not finish within ${timeoutMs / 1_000} s.`;
  return new SignalboxError(
    "USAGE",
    message,
    "Narrow the query: add a WHERE on run_id, or a LIMIT to recursive parts.",
  );
}

function createNoAnswerError(): SignalboxError {
  const message = "The query ended without an answer: it exceeded the memory limit.";
  return new SignalboxError(
    "USAGE",
    message,
    "Narrow the query: select fewer columns, or add a WHERE on run_id or a LIMIT.",
  );
}
