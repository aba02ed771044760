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

/** The first part of a name: a package, a folder, the first word. */
function groupOf(row: Chosen, by: Grouping): string {
  if (by === "phase") return row.phase;
  if (by === "rule")
    return row.kind === "gate" ? (row.rules.find(({ passed }) => !passed)?.rule ?? "passed") : row.kind;
  return /^(@[^/\s]+\/[^/\s]+|[^/\s]+)/.exec(nameOf(row))?.[0] ?? nameOf(row);
}

/** Rows, or groups with the worst first; a group that is closed is one line. */
export function entriesOf(rows: readonly Chosen[], by: Grouping, opened: ReadonlySet<string>): readonly Entry[] {
  if (by === "none") return rows.map(entryOf);
  const groups = [...Map.groupBy(rows, (row) => groupOf(row, by))].map(([name, all]) => ({
    name,
    all,
    failed: all.filter(isFailure).length,
  }));
  return groups
    .toSorted((one, other) => other.failed - one.failed)
    .flatMap(({ name, all, failed }) => {
      const open = opened.has(name);
      const head: Entry = { kind: "group", name, failed, of: all.length, open };
      return open ? [head, ...all.map(entryOf)] : [head];
    });
}

const kept = new WeakMap<Chosen, Entry>();

/** One for each row, for as long as the row is as it is. */
function entryOf(row: Chosen): Entry {
  const entry: Entry = kept.get(row) ?? { kind: "row", row };
  kept.set(row, entry);
  return entry;
}

/** Failures first, each in the order of the records. */
export const failuresFirst = (rows: readonly Chosen[]): readonly Chosen[] => [
  ...rows.filter(isFailure),
  ...rows.filter((row) => !isFailure(row)),
];
