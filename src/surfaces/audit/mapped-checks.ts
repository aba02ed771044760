import { DatabaseSync } from "node:sqlite";
import { LEDGER_TABLES } from "../../core/journal/ledger.ts";
import type { ForeignTable, SqlValue } from "./foreign-ledger.ts";

/** Stands for a round or result that is not a valid number, so that no gate counts it by accident. */
export const UNREADABLE = -1;

type MappedCell = string | number | null;
/** Columns that gates read. Other columns are not read, because they may be long. */
const MAPPED = ["run_id", "task_id", "phase", "check_name", "passed", "verdict", "round", "instance"] as const;

/**
 * Copies the rows into an in-memory table with our own columns, so that the rules for our own runs apply. Missing
 * values become what our own ledger would have stored.
 */
export function mapChecks(foreign: ForeignTable | undefined): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  const typed = LEDGER_TABLES.anvil_checks.map((name) => `${name} ${INTEGERS.has(name) ? "INTEGER" : "TEXT"}`);
  db.exec(`CREATE TABLE anvil_checks (${typed.join(", ")})`);
  db.exec("BEGIN");
  const insert = db.prepare(
    `INSERT INTO anvil_checks (${MAPPED.join(", ")}) VALUES (${MAPPED.map(() => "?").join(", ")})`,
  );
  for (const row of foreign?.rows(MAPPED) ?? []) insert.run(...mapRow(row));
  db.exec("CREATE INDEX by_round ON anvil_checks (run_id, task_id, phase, round, check_name)");
  db.exec("CREATE INDEX by_name ON anvil_checks (run_id, task_id, phase, check_name)");
  db.exec("COMMIT");
  // Which index serves a rule depends on the ledger: it may have a review of many rounds or a task of many checks.
  db.exec("ANALYZE");
  return db;
}

const INTEGERS: ReadonlySet<string> = new Set(["exit_code", "passed", "round"]);

function mapRow([run, task, phase, check, passed, verdict, round, instance]: readonly (
  | SqlValue
  | undefined
)[]): MappedCell[] {
  const named = toText(phase);
  return [
    toText(run),
    toText(task),
    named,
    toText(check),
    toPassed(passed),
    verdict === null || verdict === undefined ? null : toText(verdict),
    // A baseline is measured before the first round, whatever the row says.
    named === "baseline" ? 0 : toRound(round),
    toText(instance),
  ];
}

function toRound(value: SqlValue | undefined): number {
  if (value === null || value === undefined) return 1;
  const round = toInteger(value);
  return round !== undefined && round >= 0 ? round : UNREADABLE;
}

function toPassed(value: SqlValue | undefined): number {
  const passed = value === undefined || value === null ? undefined : toInteger(value);
  return passed === 0 || passed === 1 ? passed : UNREADABLE;
}

function toInteger(value: SqlValue): number | undefined {
  if (typeof value === "string" && !/^\d{1,9}$/.test(value)) return undefined;
  const number = value instanceof Uint8Array ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Converts a value to text that SQLite can bind and compare. SQLite text may contain invalid UTF-8 or be a blob. */
function toText(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return "";
  const plain = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
  return plain.replaceAll("\u0000", "\ufffd").toWellFormed();
}
