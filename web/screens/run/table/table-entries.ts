import { getRowName, isFailure, type SelectableRow } from "../rows.ts";

export type TableEntry =
  | {
      readonly kind: "group";
      readonly name: string;
      readonly failed: number;
      readonly of: number;
      readonly open: boolean;
    }
  | { readonly kind: "row"; readonly row: SelectableRow };

export type Grouping = "none" | "name" | "phase" | "rule";

/** Returns the group of a row. For names it is the first part: a package, a folder or the first word. */
function getGroup(row: SelectableRow, by: Grouping): string {
  if (by === "phase") return row.phase;
  if (by === "rule")
    return row.kind === "gate" ? (row.rules.find(({ passed }) => !passed)?.rule ?? "passed") : row.kind;
  return /^(@[^/\s]+\/[^/\s]+|[^/\s]+)/.exec(getRowName(row))?.[0] ?? getRowName(row);
}

/** Builds the table entries: rows, or groups with the most failures first. A collapsed group is one entry. */
export function buildTableEntries(
  rows: readonly SelectableRow[],
  by: Grouping,
  opened: ReadonlySet<string>,
): readonly TableEntry[] {
  if (by === "none") return rows.map(toEntry);
  const groups = [...Map.groupBy(rows, (row) => getGroup(row, by))].map(([name, all]) => ({
    name,
    all,
    failed: all.filter(isFailure).length,
  }));
  return groups
    .toSorted((one, other) => other.failed - one.failed)
    .flatMap(({ name, all, failed }) => {
      const open = opened.has(name);
      const head: TableEntry = { kind: "group", name, failed, of: all.length, open };
      return open ? [head, ...all.map(toEntry)] : [head];
    });
}

const cache = new WeakMap<SelectableRow, TableEntry>();

/** Returns the same entry for an unchanged row. */
function toEntry(row: SelectableRow): TableEntry {
  const entry: TableEntry = cache.get(row) ?? { kind: "row", row };
  cache.set(row, entry);
  return entry;
}

/** Sorts failures first. Otherwise rows keep the order of the records. */
export const sortFailuresFirst = (rows: readonly SelectableRow[]): readonly SelectableRow[] => [
  ...rows.filter(isFailure),
  ...rows.filter((row) => !isFailure(row)),
];
