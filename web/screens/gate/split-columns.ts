import type { Json } from "../../../src/core/text/json.ts";
import type { SqlTable } from "../../../src/surfaces/server/port/documents.ts";

export type SplitTable = {
  readonly common: readonly (readonly [name: string, value: Json])[];
  /** The columns in which rows differ. */
  readonly table: SqlTable;
};

/** Separates columns that have the same value in all rows. A single row has no such columns. */
export function splitColumns({ columns, rows }: SqlTable): SplitTable {
  const [first, second] = rows;
  if (!first || !second) return { common: [], table: { columns, rows } };
  const same = columns.map((_, at) => rows.every((row) => JSON.stringify(row[at]) === JSON.stringify(first[at])));
  const differing = <T>(all: readonly T[]): readonly T[] => all.filter((_, at) => !same[at]);
  return {
    common: columns.flatMap((name, at) => (same[at] ? [[name, first[at] ?? null] as const] : [])),
    table: { columns: differing(columns), rows: rows.map(differing) },
  };
}
