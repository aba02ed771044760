import type { Finding } from "../../../core/authoring/finding.ts";
import { explainDropped } from "../../../core/checks/guard/explain-dropped.ts";
import type { DroppedFiles } from "../../../core/journal/effect.ts";
import type { Run } from "../../run.ts";

/** A dispatch, reduced to what identifies whose work it continues. */
export type DispatchedWork = {
  readonly role: string;
  readonly instance: string;
  readonly task: string;
  readonly tree: string;
};

type DeliveredWork = DispatchedWork & {
  readonly after: string;
  readonly changed: readonly string[];
  readonly outside: readonly string[];
  readonly writes: readonly string[] | undefined;
  readonly seq: number;
};

/** Most paths to name; anything beyond that is usually a whole folder. */
const MOST_PATHS = 20;

/**
 * Stores changes that were not taken, on the first run and on every replay: the tree itself does not show what it
 * lacks.
 */
export function storeDropped({ state }: Run, work: DeliveredWork): void {
  const { role, instance, tree, after, changed, outside, writes, seq } = work;
  const own: DroppedFiles[] =
    outside.length > 0
      ? [{ by: instance || role, paths: outside.slice(0, MOST_PATHS), ...(writes ? { writes: [...writes] } : {}) }]
      : [];
  // The same agent replaces its earlier list. Files that another agent left out stay missing unless they were written
  // now.
  const others = (state.dropped.trees.get(tree) ?? []).flatMap((each): DroppedFiles[] => {
    const paths = each.paths.filter((path) => !changed.includes(path));
    return each.by === (instance || role) || paths.length === 0 ? [] : [{ ...each, paths }];
  });
  addToTree(state.dropped.trees, after, [...others, ...own]);
  state.dropped.dispatches.set(formatDispatchKey(work), { seq, value: own });
}

/** A merged tree lacks what each of its parts lacks. */
export function storeMergedDrops({ state }: Run, tree: string, parts: readonly string[]): void {
  addToTree(
    state.dropped.trees,
    tree,
    parts.flatMap((part) => state.dropped.trees.get(part) ?? []),
  );
}

function addToTree(trees: Map<string, readonly DroppedFiles[]>, tree: string, dropped: readonly DroppedFiles[]): void {
  const all = [...(trees.get(tree) ?? []), ...dropped];
  const unique = new Map(all.map((each) => [JSON.stringify(each), each]));
  if (unique.size > 0) trees.set(tree, [...unique.values()]);
}

/** Lists what is missing in the given tree, or was missing in this dispatch's own work last time. */
export function listDroppedBefore({ state }: Run, order: DispatchedWork): readonly DroppedFiles[] {
  const all = [
    ...(state.dropped.trees.get(order.tree) ?? []),
    ...(state.dropped.dispatches.get(formatDispatchKey(order)) ?? []),
  ];
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

const formatDispatchKey = ({ role, instance, task }: DispatchedWork): string => JSON.stringify([role, instance, task]);

/** Findings that explain why a tree may be red. */
export function listDroppedFindings({ state }: Run, tree: string): readonly Finding[] {
  return (state.dropped.trees.get(tree) ?? []).map(toDroppedFinding);
}

export function toDroppedFinding({ by, paths, writes }: DroppedFiles): Finding {
  const message = `${by} changed ${paths.join(", ")}; that was not taken: ${explainDropped(writes)}`;
  return { severity: "minor", message, files: paths, by: "scope" };
}
