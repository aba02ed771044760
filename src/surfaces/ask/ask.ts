import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { AnswerLine, type Cell, type Refusal, type Request } from "./answer.ts";

const TIMEOUT_MS = 2_000;
/** A busy machine takes its time to start a process: that is none of the question's. */
const START_MS = 15_000;
const LIMIT_ROWS = 1_000;

export type Question = {
  readonly file: string;
  readonly sql: string;
  readonly limitRows?: number;
  readonly timeoutMs?: number;
};
export type Answer = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows were left out, or a long text was cut. */
  readonly truncated: boolean;
};

/**
 * Asks a ledger in SQL. Contract: nothing is written, nothing but the file is read, and the answer or the refusal
 * comes within the timeout once the query has begun, because it runs in a process of its own that ends itself then.
 */
export async function askLedger(question: Question): Promise<Answer> {
  const { file, sql, limitRows = LIMIT_ROWS, timeoutMs = TIMEOUT_MS } = question;
  if (!existsSync(file)) throw new SignalboxError("USAGE", `There is no ledger ${file}.`, "The first run makes it.");
  const reader = started({ file, sql, limitRows, timeoutMs });
  const alarm = setTimeout(() => reader.kill("SIGKILL"), START_MS + timeoutMs);
  try {
    const [answer] = await Promise.all([heard(reader.stdout, file), once(reader, "exit")]);
    if (answer) return answer;
    throw reader.signalCode === "SIGKILL" ? tooLong(timeoutMs) : unanswered();
  } finally {
    clearTimeout(alarm);
    reader.kill("SIGKILL");
  }
}

type Reader = ChildProcessByStdio<Writable, Readable, null>;

/** The same program from the sources and from the built package. */
function started(request: Request): Reader {
  const program = fileURLToPath(new URL(`./reader${extname(import.meta.url)}`, import.meta.url));
  const reader = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "ignore"], env: {} });
  // A reader that died at once is told by its missing answer.
  reader.stdin.on("error", () => undefined);
  reader.stdin.end(JSON.stringify(request));
  return reader;
}

/** The answer, if it came to its end. */
async function heard(stdout: Readable, file: string): Promise<Answer | undefined> {
  let columns: readonly string[] = [];
  const rows: Cell[][] = [];
  for await (const text of createInterface({ input: stdout })) {
    const line = parsed(text);
    if (!line) return undefined;
    if ("refused" in line) throw refusal(line.refused, file);
    if ("end" in line) return { columns, rows, truncated: line.end.truncated };
    if ("columns" in line) columns = line.columns;
    else rows.push(line.row);
  }
  return undefined;
}

/** The last line of a killed reader may be half of one. */
function parsed(text: string): AnswerLine | undefined {
  try {
    return AnswerLine.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function refusal({ message, tables, damaged }: Refusal, file: string): SignalboxError {
  if (damaged) {
    return new SignalboxError(
      "DATABASE_DAMAGED",
      `${file} cannot be read: ${message}.`,
      "Nothing was changed. Restore a backup, or recover it with `sqlite3 FILE .recover`.",
    );
  }
  const named = tables.length > 0 ? ` It has the tables ${tables.join(", ")}.` : "";
  return new SignalboxError("USAGE", `The query was refused: ${message}.`, `Ask with one SELECT.${named}`);
}

function tooLong(timeoutMs: number): SignalboxError {
  const message = `The query was stopped: it had no answer after ${timeoutMs / 1_000} s.`;
  return new SignalboxError("USAGE", message, "Ask for less: a WHERE over run_id, or a LIMIT in recursive parts.");
}

function unanswered(): SignalboxError {
  const message = "The query ended without an answer: it needed more memory than it may have.";
  return new SignalboxError("USAGE", message, "Ask for less: fewer columns, a WHERE over run_id, a LIMIT.");
}
