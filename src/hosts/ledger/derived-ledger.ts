import { DatabaseSync } from "node:sqlite";
import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import type { DerivedRow } from "../../core/journal/ledger-rows.ts";
import type { Host } from "../../core/ports/host.ts";
import { MIGRATIONS } from "../sqlite/migrations/index.ts";
import { createLedgerReader } from "./ledger-reader.ts";
import { toSqliteValue } from "./ledger-writer.ts";

/** A ledger built from journal records alone, to evaluate a rule as of an earlier moment. */
export type DerivedLedger = Pick<Host["ledger"], "ask"> & {
  add(rows: readonly DerivedRow[]): void;
  /** Returns the number of the record that the row was derived from. */
  recordOf(table: LedgerTable, id: number): number;
};

export function createDerivedLedger(): DerivedLedger {
  const db = createEmptyLedger();
  const records: Record<LedgerTable, number[]> = {
    anvil_checks: [],
    pipeline_telemetry: [],
    artifact_evaluations: [],
    instruction_updates: [],
  };
  return {
    ask: createLedgerReader(db).ask,
    add: (rows) => {
      for (const { table, seq, values } of rows) {
        const names = ["id", ...LEDGER_TABLES[table]];
        const id = records[table].push(seq);
        const insert = db.prepare(
          `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
        );
        insert.run(id, ...values.map(toSqliteValue));
      }
    },
    recordOf: (table, id) => records[table][id - 1] ?? 0,
  };
}

/** Creates the four empty tables in memory. */
export function createEmptyLedger(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  for (const sql of MIGRATIONS) db.exec(sql);
  return db;
}
