import type { SqlRule } from "../../core/authoring/rule.ts";
import { type AuditEntry, evaluateEntries } from "./audit-entries.ts";
import { readForeignLedger } from "./foreign-ledger.ts";
import { mapChecks } from "./mapped-checks.ts";
import { type AuditNote, collectNotes } from "./notes.ts";

export type AuditTotals = { readonly pass: number; readonly fail: number; readonly unknown: number };
export type Audit = {
  /** Number of rows in anvil_checks. */
  readonly rows: number;
  readonly entries: readonly AuditEntry[];
  readonly totals: Readonly<Record<string, AuditTotals>>;
  readonly notes: readonly AuditNote[];
};

/**
 * Replays gates over a ledger from another tool. Contract: the file and its folder are not changed, and a result that
 * the ledger cannot determine is `unknown`, never guessed.
 */
export function auditLedger({ file, rules }: { file: string; rules: readonly SqlRule[] }): Audit {
  return readForeignLedger(file, (ledger) => {
    const foreign = ledger.table("anvil_checks");
    const checks = mapChecks(foreign);
    try {
      const columns = new Set(foreign?.columns);
      const entries = evaluateEntries({ checks, columns, rules });
      const rows = Number(checks.prepare("SELECT COUNT(*) AS n FROM anvil_checks").get()?.["n"]);
      return { rows, entries, totals: countTotals(entries, rules), notes: collectNotes({ ledger, checks, rules }) };
    } finally {
      checks.close();
    }
  });
}

function countTotals(entries: readonly AuditEntry[], rules: readonly SqlRule[]): Record<string, AuditTotals> {
  const counted = rules.map((rule) => {
    const totals = { pass: 0, fail: 0, unknown: 0 };
    for (const { gates } of entries) {
      const gate = gates[rule.id];
      if (gate) totals[gate.result]++;
    }
    return [rule.id, totals] as const;
  });
  return Object.fromEntries(counted);
}
