import { LEDGER_TABLES, type LedgerTable } from "../../src/core/journal/ledger.ts";
import { buildLedgerRows, type LedgerInsert } from "../../src/core/journal/ledger-rows.ts";
import type { Played } from "./schedule.ts";

// The names are the keys of the same object.
const TABLES = Object.keys(LEDGER_TABLES) as LedgerTable[];

/** The ledger has exactly the rows that follow from the journal. */
export async function rowsFollowFromTheJournal({ records, host, run }: Played): Promise<readonly string[]> {
  const derived = records.flatMap((record) => (record.rows ? buildLedgerRows(record) : [])).filter(keepFirstWitness());
  const wrong: string[] = [];
  for (const table of TABLES) {
    const columns: readonly string[] = LEDGER_TABLES[table];
    const row = columns.map((name) => `quote(${name})`).join(" || ',' || ");
    const sql = `SELECT group_concat(line, char(10)) AS actual FROM (SELECT ${row} AS line FROM ${table} WHERE run_id = :run ORDER BY id)`;
    const stored = String((await host.ledger.ask(sql, { run }))?.["actual"] ?? "");
    const lines = derived.filter((each) => each.table === table).map(({ values }) => values.map(quoteValue).join(","));
    if (stored !== lines.join("\n")) wrong.push(`${table} has other rows than the journal gives`);
  }
  return wrong;
}

/** Keeps the first of two rows about the same check on the same tree, like the ledger; the journal keeps both. */
function keepFirstWitness(): (row: LedgerInsert) => boolean {
  const seen = new Set<string>();
  const at = UNIQUE.map((column) => LEDGER_TABLES.anvil_checks.indexOf(column));
  return ({ table, values }) =>
    table !== "anvil_checks" || seen.size < seen.add(JSON.stringify(at.map((index) => values[index]))).size;
}
const UNIQUE = ["run_id", "task_id", "phase", "round", "instance", "check_name", "tree"] as const;

function quoteValue(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
