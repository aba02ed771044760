import { once } from "node:events";
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import type { AnswerLine, Cell, Request } from "./answer.ts";
import { permitReading } from "./permit.ts";

/** A program of its own: a query cannot be interrupted from inside, so it runs where it can be killed. */
const ANSWER_BYTES = 4 * 1024 * 1024;
const CELL_LETTERS = 100_000;
const RESIDENT_BYTES = 512 * 1024 * 1024;
const LOOK_MS = 25;
const BUSY_MS = 1_000;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

async function main(): Promise<void> {
  // Written by the parent from the same type.
  const request = JSON.parse(await text(process.stdin)) as Request;
  await watched(request.timeoutMs);
  let tables: readonly string[] = [];
  try {
    const db = new DatabaseSync(request.file, { readOnly: true, timeout: BUSY_MS });
    // Sorting and grouping must not spill into files: nothing is written anywhere.
    db.exec("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF");
    tables = tablesIn(db);
    permitReading(db, tables);
    answer(db, request);
  } catch (error) {
    say({ refused: { message: messageOf(error), tables: [...tables], damaged: isDamage(error) } });
  }
}

/**
 * Ends this process from a second thread, as the first is deaf while it asks: when the time is up, should the parent
 * have died before it could; and when memory runs full, which the SQLite of Node has no limit for.
 */
async function watched(timeoutMs: number): Promise<void> {
  const code = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${Number(timeoutMs)});
    setInterval(() => process.memoryUsage.rss() > ${RESIDENT_BYTES} && process.kill(process.pid, "SIGTERM"), ${LOOK_MS});`;
  const worker = new Worker(code, { eval: true });
  await once(worker, "online");
  worker.unref();
}

function answer(db: DatabaseSync, { sql, limitRows }: Request): void {
  const statement = db.prepare(sql);
  const columns = statement.columns().map((column) => column.name);
  // What gives no columns is no question; some of it asks the authorizer only while it runs.
  if (columns.length === 0) throw new Error("only questions are answered, and this is none");
  if (restOf(sql, statement.sourceSQL) !== "") throw new Error("one query at a time: there is text after the first");
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // JSON may spell a letter with six; wide rows get shorter cells, so that one row never exceeds an answer.
  const letters = Math.min(CELL_LETTERS, Math.floor(ANSWER_BYTES / 6 / columns.length));
  let bytes = say({ columns });
  let rows = 0;
  let truncated = false;
  for (const found of statement.iterate()) {
    if (rows === limitRows || bytes > ANSWER_BYTES) {
      truncated = true;
      break;
    }
    // Asked for as arrays.
    const row = (found as unknown as readonly unknown[]).map((value) => cellOf(value, letters));
    truncated ||= row.some(({ cut }) => cut);
    bytes += say({ row: row.map(({ cell }) => cell) });
    rows++;
  }
  say({ end: { truncated } });
}

function restOf(sql: string, first: string): string {
  return sql
    .slice(first.length)
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replaceAll(/[\s;]/g, "");
}

function cellOf(value: unknown, most: number): { cell: Cell; cut: boolean } {
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

function tablesIn(db: DatabaseSync): string[] {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name").all();
  return found.map((row) => String(row["name"])).filter((name) => !name.startsWith("sqlite_"));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  return error.errcode === CORRUPT || error.errcode === NOT_A_DATABASE;
}

/** Synchronous and complete, also when the pipe is full. */
function say(line: AnswerLine): number {
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
