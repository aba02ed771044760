import { LEDGER_TABLES, type LedgerTable } from "../../core/ledger.ts";
import type { Difference } from "./chain.ts";

type Value = string | number | null;
/** A row as the journal gives it. */
export type DerivedRow = { readonly seq: number; readonly table: LedgerTable; readonly values: readonly Value[] };
/** A row as the table has it. */
export type StoredRow = { readonly id: number; readonly table: LedgerTable; readonly values: readonly Value[] };

/** What differs between the rows that the journal gives and the rows that are there. */
export function rowDifferences(derived: readonly DerivedRow[], stored: readonly StoredRow[]): readonly Difference[] {
  const wanted = withoutSecondWitnesses(derived);
  const { left, over } = unmatched(wanted, stored);
  const found: Difference[] = [];
  const free = new Set(left);
  for (const row of over) {
    const like = mostAlike(row, free);
    if (like) free.delete(like);
    found.push(like ? changed(row, like) : extra(row));
  }
  return [...found, ...[...free].map(lost)];
}

/** The ledger keeps the first of two rows about the same check on the same tree; the journal keeps both. */
function withoutSecondWitnesses(derived: readonly DerivedRow[]): readonly DerivedRow[] {
  const seen = new Set<string>();
  return derived.filter((row) => {
    if (row.table !== "anvil_checks") return true;
    const name = JSON.stringify(UNIQUE.map((column) => row.values[LEDGER_TABLES.anvil_checks.indexOf(column)]));
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

const UNIQUE = ["run_id", "task_id", "phase", "round", "instance", "check_name", "tree"] as const;

function unmatched(wanted: readonly DerivedRow[], stored: readonly StoredRow[]) {
  const nameOf = (row: DerivedRow | StoredRow): string => JSON.stringify([row.table, row.values]);
  const open = Map.groupBy(wanted, nameOf);
  const over = stored.filter((row) => open.get(nameOf(row))?.shift() === undefined);
  return { left: [...open.values()].flat().sort((a, b) => a.seq - b.seq), over };
}

function mostAlike(row: StoredRow, among: ReadonlySet<DerivedRow>): DerivedRow | undefined {
  let [best, most] = [undefined as DerivedRow | undefined, row.values.length / 2];
  for (const each of among) {
    if (each.table !== row.table) continue;
    const same = each.values.filter((value, at) => value === row.values[at]).length;
    if (same > most) [best, most] = [each, same];
  }
  return best;
}

function changed({ id, table, values }: StoredRow, row: DerivedRow): Difference {
  const columns = LEDGER_TABLES[table]
    .flatMap((name, at) => (values[at] === row.values[at] ? [] : [{ name, is: values[at], was: row.values[at] }]))
    .map(({ name, is, was }) => `${name} is ${shown(is)}, the journal says ${shown(was)}`);
  return {
    where: "ledger",
    table,
    id,
    seq: row.seq,
    message: `${table} row ${id}: ${columns.join("; ")} (record ${row.seq})`,
  };
}

function extra({ id, table }: StoredRow): Difference {
  return { where: "ledger", table, id, message: `${table} row ${id} follows from no record` };
}

function lost({ seq, table }: DerivedRow): Difference {
  return { where: "ledger", table, seq, message: `${table} lacks a row that record ${seq} gives` };
}

function shown(value: Value | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
