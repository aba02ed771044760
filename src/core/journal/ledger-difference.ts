import { LEDGER_TABLES, type LedgerTable } from "./ledger.ts";
import type { DerivedRow, LedgerInsert, LedgerValue, StoredRow } from "./ledger-rows.ts";

export type RowDifference = {
  readonly where: "ledger";
  readonly message: string;
  readonly table: LedgerTable;
  /** Id of the wrong row. */
  readonly id?: number;
  /** Record from which the row is derived. */
  readonly seq?: number;
};

/**
 * Yields the differences between the derived and the stored rows one by one, so that a caller who needs only a yes or
 * no can stop at the first.
 */
export function* findRowDifferences(
  derived: readonly DerivedRow[],
  stored: readonly StoredRow[],
): Generator<RowDifference, void> {
  if (isSameSequence(derived, stored)) return;
  const { left, over } = findUnmatchedRows(derived, stored);
  const free = new Set(left);
  for (const row of over) {
    const like = findMostSimilarRow(row, free);
    if (like) free.delete(like);
    yield like ? reportChangedRow(row, like) : reportExtraRow(row);
  }
  for (const row of free) yield reportLostRow(row);
}

/** Fast path without serializing rows: the same rows in the same order, table by table. */
function isSameSequence(derived: readonly DerivedRow[], stored: readonly StoredRow[]): boolean {
  if (derived.length !== stored.length) return false;
  const next = Map.groupBy(stored, ({ table }) => table);
  const at = new Map<LedgerTable, number>();
  return derived.every(({ table, values }) => {
    const place = at.get(table) ?? 0;
    at.set(table, place + 1);
    const there = next.get(table)?.[place]?.values;
    return there !== undefined && values.every((value, index) => value === there[index]);
  });
}

function findUnmatchedRows(wanted: readonly DerivedRow[], stored: readonly StoredRow[]) {
  const serializeRow = ({ table, values }: LedgerInsert): string => JSON.stringify([table, values]);
  const open = Map.groupBy(wanted, serializeRow);
  const over = stored.filter((row) => open.get(serializeRow(row))?.shift() === undefined);
  return { left: [...open.values()].flat().sort((a, b) => a.seq - b.seq), over };
}

function findMostSimilarRow(row: StoredRow, among: ReadonlySet<DerivedRow>): DerivedRow | undefined {
  let [best, most] = [undefined as DerivedRow | undefined, row.values.length / 2];
  for (const each of among) {
    if (each.table !== row.table) continue;
    const same = each.values.filter((value, at) => value === row.values[at]).length;
    if (same > most) [best, most] = [each, same];
  }
  return best;
}

function reportChangedRow({ id, table, values }: StoredRow, row: DerivedRow): RowDifference {
  const columns = LEDGER_TABLES[table]
    .flatMap((name, at) => (values[at] === row.values[at] ? [] : [{ name, is: values[at], was: row.values[at] }]))
    .map(({ name, is, was }) => `${name} is ${formatLedgerValue(is)}, the journal says ${formatLedgerValue(was)}`);
  return {
    where: "ledger",
    table,
    id,
    seq: row.seq,
    message: `${table} row ${id}: ${columns.join("; ")} (record ${row.seq})`,
  };
}

function reportExtraRow({ id, table }: StoredRow): RowDifference {
  return { where: "ledger", table, id, message: `${table} row ${id} does not follow from any record` };
}

function reportLostRow({ seq, table }: DerivedRow): RowDifference {
  return { where: "ledger", table, seq, message: `${table} is missing a row of record ${seq}` };
}

function formatLedgerValue(value: LedgerValue | undefined): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
