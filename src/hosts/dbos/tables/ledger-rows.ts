import type { Json } from "../../../core/text/json.ts";
import { refuseUnlessQuery } from "../../ledger/rule-text.ts";
import type { Database } from "./database.ts";
import { aboutTheText, readingOnly } from "./ledger.ts";
import { numbered } from "./positional-params.ts";

export type AskedRows = { readonly columns: readonly string[]; readonly rows: readonly (readonly Json[])[] };

const QUERY_MS = 30_000;
/** More of them a person does not read, and a terminal does not bear. */
const MOST_ROWS = 100_000;

/** What a person asks of the ledger: the same rights as a rule, more rows and more time. */
export async function ledgerRowsOf(database: Database, sql: string, reader: string | undefined): Promise<AskedRows> {
  refuseUnlessQuery(sql);
  const { text } = numbered(sql, {});
  try {
    const rows = await database.transaction(
      (query) => query<Record<string, Json>>(`SELECT * FROM (${text}\n) AS asked LIMIT ${MOST_ROWS}`, []),
      { begin: readingOnly(reader, QUERY_MS) },
    );
    const columns = Object.keys(rows[0] ?? {});
    return { columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) };
  } catch (error) {
    throw aboutTheText(sql, error);
  }
}
