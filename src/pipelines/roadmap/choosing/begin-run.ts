import type { End } from "../../../core/authoring/end.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { loadRoadmap, refuseRoadmap } from "./load-roadmap.ts";
import { isSameId } from "./roadmap.ts";

/** Start of the first item. */
export type StartingPoint = {
  readonly tree: Tree;
  /** The tree that the run's branch starts from; every later change is work of done items. */
  readonly base: string;
  /** The commit of earlier work that this run's commits follow. */
  readonly parent?: string;
};

/**
 * Done items that nobody has landed are on the branch of their run. The next item starts there: on top of that branch
 * if the user's branch has not moved, otherwise on a merge of both.
 * @rule R-43 (code) An item starts from the tree of the last done item, also if that is on the branch of an earlier
 *   run; the tree of a blocked item is pinned, and only a later run of that item uses it.
 */
export async function beginRun(verbs: Verbs<{ file: string }>): Promise<StartingPoint | { readonly end: End }> {
  const { see, merge } = verbs;
  const loaded = await loadRoadmap(verbs);
  if ("errors" in loaded) return { end: await refuseRoadmap(verbs, loaded.errors) };
  const head = await see("head");
  const fresh = { tree: { tree: head.tree }, base: head.tree };
  const { last } = loaded.memory;
  const isDone = loaded.roadmap.items.some((item) => last && isSameId(item.id, last.item) && item.status === "done");
  if (!last || !isDone) return fresh;
  const earlier = await see("branch", { name: last.branch });
  if (!earlier || earlier.subjects.length === 0) return fresh;
  if (head.tree === last.base) return { ...fresh, tree: { tree: earlier.tree }, parent: earlier.commit };
  const merged = await merge({ tree: last.base }, [head, earlier]);
  if (merged.clean) return { ...fresh, tree: merged.tree };
  const where = `${head.branch ?? "HEAD"} in ${merged.conflicts.join(", ")}`;
  const reason = `the work of done items on ${last.branch} conflicts with ${where}: land that run first, or delete its branch`;
  return { end: { status: "blocked", reason, report: { result: "CONFLICT", conflicts: [...merged.conflicts] } } };
}
