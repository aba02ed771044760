import { LEDGER_TABLES, type LedgerTable } from "../../core/journal/ledger.ts";
import type { LedgerValue } from "../../core/journal/ledger-rows.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Json } from "../../core/text/json.ts";

type LedgerReader = Pick<Host["ledger"], "ask">;
type RowCondition = {
  readonly table: LedgerTable;
  /** May refer to the table by its alias. */
  readonly alias: string;
  readonly where: string;
  readonly params: Readonly<Record<string, Json>>;
};
type RowMatch = { readonly id: number; readonly values: readonly LedgerValue[] };

/** Returns all rows that satisfy a condition, in the order in which they were written. */
export async function selectRows(ledger: LedgerReader, condition: RowCondition, most: number): Promise<RowMatch[]> {
  const { table, alias, where, params } = condition;
  const columns: readonly string[] = LEDGER_TABLES[table];
  const picked = ["id", ...columns].map((name) => `${alias}.${name}`).join(", ");
  // The port returns one row per query on every host, so the next row is queried by the last one's id.
  const sql = `SELECT ${picked} FROM ${table} AS ${alias} WHERE (${where}) AND ${alias}.id > :last_id ORDER BY ${alias}.id LIMIT 1`;
  const found: RowMatch[] = [];
  let last = 0;
  while (found.length < most) {
    const row = await ledger.ask(sql, { ...params, last_id: last });
    if (!row) return found;
    last = Number(row["id"]);
    found.push({ id: last, values: columns.map((name) => toLedgerValue(row[name])) });
  }
  return found;
}

function toLedgerValue(value: Json | undefined): LedgerValue {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
