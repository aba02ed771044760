import { matchesAny } from "../../../core/checks/guard/glob.ts";
import type { Run } from "../../run.ts";

type Delivered = { readonly tree: string; readonly after: string; readonly changed: readonly string[] };

/** Whoever wrote documents of the process alone has left the work where it was; on every replay too. */
export function keepSameWork({ state, pipeline }: Run, { tree, after, changed }: Delivered): void {
  const isDocument = (path: string): boolean => matchesAny(path, pipeline.documents ?? []);
  if (changed.length > 0 && changed.every(isDocument)) state.sameWork.set(after, workIn(state, tree));
}

/** A merge of trees that all hold the same work holds it too. */
export function keepMergedWork({ state }: Run, tree: string, parts: readonly string[]): void {
  const [work, ...others] = new Set(parts.map((part) => workIn(state, part)));
  if (work !== undefined && others.length === 0 && tree !== work) state.sameWork.set(tree, work);
}

/** Whether between these trees lies nothing of the work, though documents of the process may. */
export const holdSameWork = ({ state }: Run, one: string, other: string): boolean =>
  workIn(state, one) === workIn(state, other);

const workIn = ({ sameWork }: Run["state"], tree: string): string => sameWork.get(tree) ?? tree;
