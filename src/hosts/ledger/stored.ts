import type { DatabaseSync } from "node:sqlite";
import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import type { LedgerValue, StoredRow } from "../../core/journal/ledger-rows.ts";

// The names are the keys of the same object.
const TABLES = Object.keys(LEDGER_TABLES) as LedgerTable[];

/** One text for both databases: the rows of a run in one table, its parameter being the run. */
export const ROWS_OF_RUN: readonly { readonly table: LedgerTable; text(run: string): string }[] = TABLES.map(
  (table) => ({
    table,
    text: (run) => `SELECT ${LEDGER_TABLES[table].join(", ")}, id FROM ${table} WHERE run_id = ${run} ORDER BY id`,
  }),
);

/** Reads all rows of a run from a SQLite ledger. */
export function rowReader(db: DatabaseSync): (run: string) => readonly StoredRow[] {
  const statements = ROWS_OF_RUN.map(({ table, text }) => {
    const select = db.prepare(text("?"));
    // Thousands of rows are read before a commit: an array costs half of what an object costs.
    select.setReturnArrays(true);
    return { table, select };
  });
  return (run) =>
    statements.flatMap(({ table, select }) =>
      // What `setReturnArrays` gives, which its type does not say; the columns are TEXT, INTEGER or NULL.
      (select.all(run) as unknown as LedgerValue[][]).map((values) => ({ id: Number(values.pop()), table, values })),
    );
}
