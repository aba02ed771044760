import type { DatabaseSync } from "node:sqlite";
import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import type { LedgerValue, StoredRow } from "../../core/journal/ledger-rows.ts";

// The names are the keys of the same object.
const TABLES = Object.keys(LEDGER_TABLES) as LedgerTable[];

/** Selects a run's rows of one table, in SQL that both databases accept. */
export const LEDGER_SELECTS: readonly { readonly table: LedgerTable; text(run: string): string }[] = TABLES.map(
  (table) => ({
    table,
    text: (run) => `SELECT ${LEDGER_TABLES[table].join(", ")}, id FROM ${table} WHERE run_id = ${run} ORDER BY id`,
  }),
);

/** Reads all rows of a run from a SQLite ledger. */
export function createRowReader(db: DatabaseSync): (run: string) => readonly StoredRow[] {
  const statements = LEDGER_SELECTS.map(({ table, text }) => {
    const select = db.prepare(text("?"));
    // A commit reads thousands of rows, and arrays cost half as much as objects.
    select.setReturnArrays(true);
    return { table, select };
  });
  return (run) =>
    statements.flatMap(({ table, select }) =>
      // The type of `all` does not reflect `setReturnArrays`; the columns are TEXT, INTEGER or NULL.
      (select.all(run) as unknown as LedgerValue[][]).map((values) => ({ id: Number(values.pop()), table, values })),
    );
}
