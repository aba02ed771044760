import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { EG_1, EG_2, EG_3, EG_4, EG_5, EG_6 } from "../../pipelines/ledger/rules.ts";
import { type Audit, auditLedger } from "./audit.ts";

/** Small ledgers of another tool, as agents write them. */
export const RULES = [EG_1, EG_2, EG_3, EG_4, EG_5, EG_6];
export const PERSPECTIVES = ["security-sentinel", "architecture-guardian", "pragmatic-verifier"] as const;
const CATEGORIES = ["security", "architecture", "correctness"] as const;

export const FULL = ["run_id", "task_id", "phase", "check_name", "passed", "verdict", "round", "instance"] as const;
const TELEMETRY = ["run_id", "step", "agent", "started_at", "completed_at", "ts"] as const;

type Cell = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Cell>>;
export type LedgerContent = {
  readonly columns?: readonly string[];
  readonly checks?: readonly Row[];
  readonly telemetry?: readonly Row[];
  readonly wal?: boolean;
};

export function ledgerFile({ columns = FULL, checks = [], telemetry, wal }: LedgerContent): string {
  const folder = mkdtempSync(join(tmpdir(), "foreign-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "ledger.db");
  const db = new DatabaseSync(file);
  if (wal) db.exec("PRAGMA journal_mode = WAL");
  db.exec("BEGIN");
  fill(db, { table: "anvil_checks", columns, rows: checks });
  if (telemetry) fill(db, { table: "pipeline_telemetry", columns: TELEMETRY, rows: telemetry });
  db.exec("COMMIT");
  db.close();
  return file;
}

export const audited = (written: LedgerContent): Audit => auditLedger({ file: ledgerFile(written), rules: RULES });

export const entry = (audit: Audit, task: string, round?: number) =>
  audit.entries.find((each) => each.task_id === task && (round === undefined || each.round === round));

/** Returns the results of all gates of an entry, to compare them at once. */
export const results = (audit: Audit, task: string, round?: number) =>
  Object.fromEntries(Object.entries(entry(audit, task, round)?.gates ?? {}).map(([id, gate]) => [id, gate.result]));

export const notesOf = (audit: Audit, kind: string) =>
  audit.notes.filter((note) => note.kind === kind).map((note) => note.message);

export const row = (values: Row): Row => ({ run_id: "run-1", task_id: "task-01", passed: 1, round: 1, ...values });
export const baseline = (values: Row = {}) =>
  row({ phase: "baseline", check_name: "baseline-build", round: 0, ...values });
export const after = (check: string, values: Row = {}) => row({ phase: "after", check_name: check, ...values });

/** A regular review: every perspective judges every category. */
export function reviewed(values: Row = {}, scope = "code"): Row[] {
  return PERSPECTIVES.flatMap((instance) =>
    CATEGORIES.map((category) => {
      const check_name = `review-${scope}-${category}`;
      return row({
        task_id: `x-${scope}-review`,
        phase: "review",
        check_name,
        verdict: "approve",
        instance,
        ...values,
      });
    }),
  );
}

function fill(
  db: DatabaseSync,
  { table, columns, rows }: { table: string; columns: readonly string[]; rows: readonly Row[] },
) {
  db.exec(`CREATE TABLE ${table} (${columns.join(", ")})`);
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`);
  for (const values of rows) insert.run(...columns.map((name) => values[name] ?? null));
}
