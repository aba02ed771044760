import { type Chosen, isFailure, nameOf } from "../rows.ts";

export type Entry =
  | {
      readonly kind: "group";
      readonly name: string;
      readonly failed: number;
      readonly of: number;
      readonly open: boolean;
    }
  | { readonly kind: "row"; readonly row: Chosen };

export type Grouping = "none" | "name" | "phase" | "rule";

/** Returns the group of a row. For names it is the first part: a package, a folder or the first word. */
function getGroup(row: Chosen, by: Grouping): string {
  if (by === "phase") return row.phase;
  if (by === "rule")
    return row.kind === "gate" ? (row.rules.find(({ passed }) => !passed)?.rule ?? "passed") : row.kind;
  return /^(@[^/\s]+\/[^/\s]+|[^/\s]+)/.exec(nameOf(row))?.[0] ?? nameOf(row);
}

/** Builds the table entries: rows, or groups with the most failures first. A collapsed group is one entry. */
export function entriesOf(rows: readonly Chosen[], by: Grouping, opened: ReadonlySet<string>): readonly Entry[] {
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
      const head: Entry = { kind: "group", name, failed, of: all.length, open };
      return open ? [head, ...all.map(toEntry)] : [head];
    });
}

const cache = new WeakMap<Chosen, Entry>();

/** Returns the same entry for an unchanged row. */
function toEntry(row: Chosen): Entry {
  const entry: Entry = cache.get(row) ?? { kind: "row", row };
  cache.set(row, entry);
  return entry;
}

/** Sorts failures first. Otherwise rows keep the order of the records. */
export const failuresFirst = (rows: readonly Chosen[]): readonly Chosen[] => [
  ...rows.filter(isFailure),
  ...rows.filter((row) => !isFailure(row)),
];
