import type { End } from "../../../core/authoring/end.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { load, refuse } from "./load.ts";
import { sameId } from "./roadmap.ts";

/** Where the first item starts from. */
export type StartingPoint = {
  readonly tree: Tree;
  /** The tree that the run's branch leaves from: whatever it has more is work of done items. */
  readonly base: string;
  /** The commit of earlier work that this run's own goes on top of. */
  readonly parent?: string;
};

/**
 * Done items whose work nobody has landed yet are on the branch of the run that did them. The next item starts from
 * there: on top of it where the user's branch has stayed, merged with it where that went on.
 * @rule R-43 (code) An item starts from the work of the last done one, also when that is on the branch of an earlier
 *   run; blocked work is pinned, and only its own item goes on from it.
 */
export async function begin(verbs: Verbs<{ file: string }>): Promise<StartingPoint | { readonly end: End }> {
  const { see, merge } = verbs;
  const loaded = await load(verbs);
  if ("errors" in loaded) return { end: await refuse(verbs, loaded.errors) };
  const head = await see("head");
  const fresh = { tree: { tree: head.tree }, base: head.tree };
  const { last } = loaded.memory;
  const isDone = loaded.roadmap.items.some((item) => last && sameId(item.id, last.item) && item.status === "done");
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
