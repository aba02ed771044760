import { once } from "node:events";
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import type { AnswerLine, ReaderRequest, SqlCell } from "./protocol.ts";
import { permitReading } from "./read-permissions.ts";

/** The reader is a separate program, because a query cannot be interrupted from inside and has to be killed. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_CELL_LENGTH = 100_000;
const MAX_RESIDENT_BYTES = 512 * 1024 * 1024;
const MEMORY_CHECK_MS = 25;
const BUSY_MS = 1_000;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

async function main(): Promise<void> {
  // The cast holds because the parent writes the request from the same type.
  const request = JSON.parse(await text(process.stdin)) as ReaderRequest;
  await startWatchdog(request.timeoutMs);
  let tables: readonly string[] = [];
  try {
    const db = new DatabaseSync(request.file, { readOnly: true, timeout: BUSY_MS });
    // Sorting and grouping must not spill into files, because nothing may be written.
    db.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
    tables = listTables(db);
    permitReading(db, tables);
    writeAnswer(db, request);
  } catch (error) {
    writeLine({ refused: { message: getErrorMessage(error), tables: [...tables], damaged: isDamageError(error) } });
  }
}

/**
 * Starts a second thread that kills this process, because the first is blocked while a query runs. It kills when the
 * timeout expires, in case the parent has died, and when memory is full, because Node's SQLite has no memory limit.
 */
async function startWatchdog(timeoutMs: number): Promise<void> {
  const code = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${Number(timeoutMs)});
    setInterval(() => process.memoryUsage.rss() > ${MAX_RESIDENT_BYTES} && process.kill(process.pid, "SIGTERM"), ${MEMORY_CHECK_MS});`;
  const worker = new Worker(code, { eval: true });
  await once(worker, "online");
  worker.unref();
}

function writeAnswer(db: DatabaseSync, { sql, limitRows }: ReaderRequest): void {
  const statement = db.prepare(sql);
  const columns = statement.columns().map((column) => column.name);
  // A statement without columns is no query. Some of them call the authorizer only while they run.
  if (columns.length === 0) throw new Error("only queries are allowed, and this statement returns no columns");
  if (getTrailingText(sql, statement.sourceSQL) !== "")
    throw new Error("only one query is allowed, and text follows the first");
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // JSON may spell a character with six. Wide rows get shorter cells, so that one row never exceeds the answer limit.
  const maxLength = Math.min(MAX_CELL_LENGTH, Math.floor(MAX_ANSWER_BYTES / 6 / columns.length));
  let bytes = writeLine({ columns });
  let rows = 0;
  let truncated = false;
  for (const found of statement.iterate()) {
    if (rows === limitRows || bytes > MAX_ANSWER_BYTES) {
      truncated = true;
      break;
    }
    // The cast holds because the statement returns arrays.
    const row = (found as unknown as readonly unknown[]).map((value) => toCell(value, maxLength));
    truncated ||= row.some(({ cut }) => cut);
    bytes += writeLine({ row: row.map(({ cell }) => cell) });
    rows++;
  }
  writeLine({ end: { truncated } });
}

function getTrailingText(sql: string, first: string): string {
  return sql
    .slice(first.length)
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replaceAll(/[\s;]/g, "");
}

function toCell(value: unknown, most: number): { cell: SqlCell; cut: boolean } {
  if (value === null) return { cell: null, cut: false };
  if (typeof value === "bigint") {
    const number = Number(value);
    return { cell: Number.isSafeInteger(number) ? number : String(value), cut: false };
  }
  if (typeof value === "number") return { cell: Number.isFinite(value) ? value : String(value), cut: false };
  const blob = value instanceof Uint8Array;
  const shown = blob ? Buffer.from(value.subarray(0, most)).toString("hex") : String(value);
  const kept = shown.slice(0, most).toWellFormed();
  return { cell: blob ? `x'${kept}'` : kept, cut: shown.length > most };
}

function listTables(db: DatabaseSync): string[] {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name").all();
  return found.map((row) => String(row["name"])).filter((name) => !name.startsWith("sqlite_"));
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isDamageError(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  return error.errcode === CORRUPT || error.errcode === NOT_A_DATABASE;
}

/** Writes a line synchronously and completely, even if the pipe is full. */
function writeLine(line: AnswerLine): number {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  const wait = new Int32Array(new SharedArrayBuffer(4));
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "EAGAIN") throw error;
      Atomics.wait(wait, 0, 0, 1);
    }
  }
  return bytes.length;
}

await main();
