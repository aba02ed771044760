import type { DatabaseSync } from "node:sqlite";
import { LEDGER_TABLES, type LedgerTable } from "../../core/ledger.ts";
import type { LedgerValue, StoredRow } from "../../core/ledger-rows.ts";

// The names are the keys of the same object.
const TABLES = Object.keys(LEDGER_TABLES) as LedgerTable[];

/** One text for both databases: the rows of a run in one table, its parameter being the run. */
export const ROWS_OF_RUN: readonly { readonly table: LedgerTable; text(run: string): string }[] = TABLES.map(
  (table) => ({
    table,
    text: (run) => `SELECT id, ${LEDGER_TABLES[table].join(", ")} FROM ${table} WHERE run_id = ${run} ORDER BY id`,
  }),
);

/** `[id, …values]`, as both databases give it, to a row. */
export function storedRow(table: LedgerTable, [id, ...values]: readonly unknown[]): StoredRow {
  // The tables have TEXT and INTEGER columns only, with or without NULL.
  return { id: Number(id), table, values: values as LedgerValue[] };
}

/** Reads all rows of a run from a SQLite ledger. */
export function rowReader(db: DatabaseSync): (run: string) => readonly StoredRow[] {
  const statements = ROWS_OF_RUN.map(({ table, text }) => {
    const select = db.prepare(text("?"));
    // Thousands of rows are read before every commit: an array costs half of what an object costs.
    select.setReturnArrays(true);
    return { table, select };
  });
  return (run) =>
    statements.flatMap(({ table, select }) =>
      // What `setReturnArrays` gives, which its type does not say.
      (select.all(run) as unknown as readonly unknown[][]).map((row) => storedRow(table, row)),
    );
}
