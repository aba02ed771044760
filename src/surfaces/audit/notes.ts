import type { DatabaseSync } from "node:sqlite";
import type { SqlRule } from "../../core/authoring/rule.ts";
import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import type { ForeignLedger } from "./foreign-ledger.ts";
import { listRuleColumns } from "./gate-judge.ts";
import { UNREADABLE } from "./mapped-checks.ts";
import { collectTelemetryNotes, readTelemetry, type TelemetryRow } from "./telemetry-times.ts";

export type AuditNote = {
  readonly kind:
    | "missing-table"
    | "empty-table"
    | "missing-column"
    | "run-ids"
    | "unknown-phase"
    | "review-instance"
    | "check-name"
    | "unreadable-value"
    | "telemetry-times";
  readonly message: string;
};

type NotesInput = {
  readonly ledger: ForeignLedger;
  readonly checks: DatabaseSync;
  readonly rules: readonly SqlRule[];
};

const PERSPECTIVES = "'security-sentinel', 'architecture-guardian', 'pragmatic-verifier'";
const REVIEW_NAMES = ["design", "code"]
  .flatMap((scope) => ["security", "architecture", "correctness"].map((category) => `'review-${scope}-${category}'`))
  .join(", ");
const MAX_VALUES = 6;

/** Collects facts that a reader of the gate results must know about the ledger. They do not change any result. */
export function collectNotes({ ledger, checks, rules }: NotesInput): AuditNote[] {
  const telemetry = readTelemetry(ledger.table("pipeline_telemetry"));
  return [
    ...collectTableNotes(ledger),
    ...collectColumnNotes(ledger, rules),
    ...collectRunIdNotes(checks, telemetry),
    ...collectValueNotes(checks, new Set(ledger.table("anvil_checks")?.columns)),
    ...collectTelemetryNotes(telemetry),
  ];
}

function collectTableNotes(ledger: ForeignLedger): AuditNote[] {
  // The cast holds because these are the keys of that object.
  const names = Object.keys(LEDGER_TABLES) as LedgerTable[];
  return names.flatMap((name): AuditNote[] => {
    const table = ledger.table(name);
    if (!table) return [{ kind: "missing-table", message: `table ${name} is missing` }];
    for (const _ of table.rows(["run_id"])) return [];
    return [{ kind: "empty-table", message: `table ${name} has no rows` }];
  });
}

function collectColumnNotes(ledger: ForeignLedger, rules: readonly SqlRule[]): AuditNote[] {
  const columns = ledger.table("anvil_checks")?.columns;
  if (!columns) return [];
  const needed = new Set(rules.flatMap(listRuleColumns));
  const missing = [...needed].filter((name) => !columns.includes(name));
  if (missing.length === 0) return [];
  const message = `anvil_checks has no column ${missing.join(", ")}: gates that need it cannot be evaluated`;
  return [{ kind: "missing-column", message }];
}

/** Reports run ids that look like one run. A run that changes the spelling of its id is evaluated in parts. */
function collectRunIdNotes(checks: DatabaseSync, telemetry: readonly TelemetryRow[]): AuditNote[] {
  const found = checks.prepare("SELECT DISTINCT run_id AS id FROM anvil_checks").all();
  const ids = new Set([...found.map((row) => String(row["id"])), ...telemetry.map((row) => row.run)]);
  const alike = Map.groupBy([...ids].sort(), normalizeRunId);
  return [...alike.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({
      kind: "run-ids",
      message: `${group.length} run ids look like one run, but are evaluated separately: ${formatFirstValues(group)}`,
    }));
}

function normalizeRunId(id: string): string {
  const day = /(?<![0-9a-z])(20\d\d)[-_]?(0[1-9]|1[0-2])[-_]?([0-3]\d)/i.exec(id);
  return day ? `day ${day.slice(1).join("")}` : id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function collectValueNotes(checks: DatabaseSync, columns: ReadonlySet<string>): AuditNote[] {
  const countValues = (column: string, where: string): string | undefined => {
    if (!columns.has(column)) return undefined;
    const rows = checks
      .prepare(
        `SELECT ${column} AS value, COUNT(*) AS n FROM anvil_checks WHERE ${where} GROUP BY 1 ORDER BY n DESC, 1`,
      )
      .all();
    return rows.length === 0
      ? undefined
      : formatFirstValues(rows.map((row) => `${String(row["value"]) || "(none)"} ×${row["n"]}`));
  };
  const phases = countValues("phase", "phase NOT IN ('baseline', 'after', 'review')");
  const instances = countValues("instance", `phase = 'review' AND instance NOT IN (${PERSPECTIVES})`);
  const names = countValues("check_name", `phase = 'review' AND check_name NOT IN (${REVIEW_NAMES})`);
  const rounds = countValues("phase", `round = ${UNREADABLE}`);
  const results = columns.has("passed") && countValues("phase", `passed = ${UNREADABLE} AND phase <> 'review'`);
  const notes: (AuditNote | false)[] = [
    phases !== undefined && {
      kind: "unknown-phase",
      message: `rows with unknown phases are not counted by any gate: ${phases}`,
    },
    instances !== undefined && {
      kind: "review-instance",
      message: `review rows without one of the three perspectives: ${instances}`,
    },
    names !== undefined && { kind: "check-name", message: `review rows with a check that no gate uses: ${names}` },
    rounds !== undefined && { kind: "unreadable-value", message: `rows with a round that is not a number: ${rounds}` },
    typeof results === "string" && {
      kind: "unreadable-value",
      message: `rows with a result other than 0 or 1: ${results}`,
    },
  ];
  return notes.filter((note) => note !== false);
}

function formatFirstValues(values: readonly string[]): string {
  const more = values.length - MAX_VALUES;
  return values.slice(0, MAX_VALUES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
