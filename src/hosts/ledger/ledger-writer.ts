import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import { buildLedgerRows } from "../../core/journal/ledger-rows.ts";
import type { StampedRecord } from "../../core/ports/host.ts";

/**
 * Writes the ledger rows of a record. The caller owns the transaction.
 * @rule L-27 (code) Texts reach the ledger only as bound parameters, whatever they contain.
 */
export function createLedgerWriter(db: DatabaseSync): (record: StampedRecord) => void {
  const inserts = new Map<LedgerTable, StatementSync>();
  const insert = (table: LedgerTable): StatementSync => {
    const known = inserts.get(table);
    if (known) return known;
    const columns = LEDGER_TABLES[table];
    // A second result of the same check on the same tree must neither replace the first nor fail the append: the
    // journal keeps both. `OR IGNORE` would also skip violations of the CHECK constraints.
    const made = db.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    );
    inserts.set(table, made);
    return made;
  };
  return (record) => {
    if (!record.rows) return;
    for (const { table, values } of buildLedgerRows(record)) insert(table).run(...values.map(toSqliteValue));
  };
}

/** node:sqlite binds every number as REAL, which a TEXT column would store as `5.0`. */
export function toSqliteValue(value: string | number | null): string | number | bigint | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}
