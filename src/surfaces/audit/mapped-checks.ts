import { DatabaseSync } from "node:sqlite";
import { LEDGER_TABLES } from "../../core/journal/ledger.ts";
import type { ForeignTable, Value } from "./foreign-ledger.ts";

/** A round or result that is no such number: kept apart, so that no gate counts it by accident. */
export const UNREADABLE = -1;

type MappedCell = string | number | null;
/** The columns that some gate looks at. The others are never read: they may be long. */
const MAPPED = ["run_id", "task_id", "phase", "check_name", "passed", "verdict", "round", "instance"] as const;

/**
 * The foreign rows in a private table of our own columns, so that the very rules which judge our runs judge theirs.
 * What a row leaves out becomes what our own ledger would have stored.
 */
export function mapChecks(foreign: ForeignTable | undefined): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  const typed = LEDGER_TABLES.anvil_checks.map((name) => `${name} ${INTEGERS.has(name) ? "INTEGER" : "TEXT"}`);
  db.exec(`CREATE TABLE anvil_checks (${typed.join(", ")})`);
  db.exec("BEGIN");
  const insert = db.prepare(
    `INSERT INTO anvil_checks (${MAPPED.join(", ")}) VALUES (${MAPPED.map(() => "?").join(", ")})`,
  );
  for (const row of foreign?.rows(MAPPED) ?? []) insert.run(...mapped(row));
  db.exec("CREATE INDEX by_round ON anvil_checks (run_id, task_id, phase, round, check_name)");
  db.exec("CREATE INDEX by_name ON anvil_checks (run_id, task_id, phase, check_name)");
  db.exec("COMMIT");
  // A review of many rounds, or a task of many checks: which index serves a rule depends on the ledger.
  db.exec("ANALYZE");
  return db;
}

const INTEGERS: ReadonlySet<string> = new Set(["exit_code", "passed", "round"]);

function mapped([run, task, phase, check, passed, verdict, round, instance]: readonly (
  | Value
  | undefined
)[]): MappedCell[] {
  const named = text(phase);
  return [
    text(run),
    text(task),
    named,
    text(check),
    passedOf(passed),
    verdict === null || verdict === undefined ? null : text(verdict),
    // Whatever was written there: a baseline is what was measured before the first round.
    named === "baseline" ? 0 : roundOf(round),
    text(instance),
  ];
}

function roundOf(value: Value | undefined): number {
  if (value === null || value === undefined) return 1;
  const round = whole(value);
  return round !== undefined && round >= 0 ? round : UNREADABLE;
}

function passedOf(value: Value | undefined): number {
  const passed = value === undefined || value === null ? undefined : whole(value);
  return passed === 0 || passed === 1 ? passed : UNREADABLE;
}

function whole(value: Value): number | undefined {
  if (typeof value === "string" && !/^\d{1,9}$/.test(value)) return undefined;
  const number = value instanceof Uint8Array ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Text as it can be bound again and found: SQLite's own may hold broken UTF-8 or be no text at all. */
function text(value: Value | undefined): string {
  if (value === null || value === undefined) return "";
  const plain = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
  return plain.replaceAll("\u0000", "\ufffd").toWellFormed();
}
