import { matchesAny } from "../../../core/checks/guard/glob.ts";
import type { Run } from "../../run.ts";

type DeliveredTree = { readonly tree: string; readonly after: string; readonly changed: readonly string[] };

/** Stores that an agent wrote only process documents, so the work is unchanged; also on every replay. */
export function storeSameWork({ state, pipeline }: Run, { tree, after, changed }: DeliveredTree): void {
  const isDocument = (path: string): boolean => matchesAny(path, pipeline.documents ?? []);
  if (changed.length > 0 && changed.every(isDocument)) state.sameWork.set(after, getWorkTree(state, tree));
}

/** Stores that a merge of trees with the same work has that work too. */
export function storeMergedWork({ state }: Run, tree: string, parts: readonly string[]): void {
  const [work, ...others] = new Set(parts.map((part) => getWorkTree(state, part)));
  if (work !== undefined && others.length === 0 && tree !== work) state.sameWork.set(tree, work);
}

/** Tells whether two trees have the same work; process documents may differ. */
export const hasSameWork = ({ state }: Run, one: string, other: string): boolean =>
  getWorkTree(state, one) === getWorkTree(state, other);

const getWorkTree = ({ sameWork }: Run["state"], tree: string): string => sameWork.get(tree) ?? tree;
