import { SignalboxError } from "../../core/errors.ts";
import { LEDGER_TABLES, type LedgerRow, type LedgerTable } from "../../core/ledger.ts";
import type { Stamped } from "../../core/ports/host.ts";
import { storable } from "./storable.ts";

type LedgerValue = string | number | null;
/** One row to insert: its values stand in the order of the table's columns. */
export type LedgerInsert = { readonly table: LedgerTable; readonly values: readonly LedgerValue[] };

/** What a row may leave out or set to null without meaning "unknown". */
const DEFAULTS: Partial<Record<LedgerTable, Readonly<Record<string, LedgerValue>>>> = {
  anvil_checks: { task_id: "", instance: "", tree: "", round: 1 },
  pipeline_telemetry: { dispatch_count: 1, retry_count: 0 },
  instruction_updates: { applied: 0 },
};

/** The rows that follow from a record, complete and in the same form for every database. */
export function ledgerRows(record: Stamped): readonly LedgerInsert[] {
  return (record.rows ?? []).map((row) => {
    refuseForeignColumns(record, row);
    const { table, values } = row;
    const told: LedgerRow["values"] = {
      ...values,
      run_id: record.run,
      ts: new Date(record.ts).toISOString(),
    };
    return { table, values: LEDGER_TABLES[table].map((column) => plain(told[column] ?? DEFAULTS[table]?.[column])) };
  });
}

function plain(value: LedgerValue | undefined): LedgerValue {
  return typeof value === "string" ? storable(value) : (value ?? null);
}

function refuseForeignColumns(record: Stamped, { table, values }: LedgerRow): void {
  const columns: readonly string[] = LEDGER_TABLES[table];
  const foreign = Object.keys(values).find((name) => name === "run_id" || name === "ts" || !columns.includes(name));
  if (foreign === undefined) return;
  throw new SignalboxError(
    "INTERNAL",
    `Record ${record.seq} of run ${record.run} sets "${foreign}" in ${table}, which no record may set.`,
    "Nothing was stored. This is a bug in Signalbox: please report it.",
  );
}
