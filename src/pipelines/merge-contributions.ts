import type { Tree } from "../core/authoring/tree.ts";
import type { Verbs } from "../core/authoring/verbs.ts";

export type Contribution = { readonly id: string; readonly after: Tree };
export type Conflict = { readonly id: string; readonly files: readonly string[] };
export type Integration = {
  readonly tree: Tree;
  readonly taken: readonly string[];
  readonly conflicts: readonly Conflict[];
};

/**
 * Merges work that started from one base, in order. A piece that conflicts with an earlier one is left out and
 * reported.
 * @rule A-15 (policy) Of two conflicting tasks, the later one fails with the conflicting paths and enters the
 *   pipeline's retry path.
 */
export async function mergeContributions(
  { merge, within }: Pick<Verbs<unknown>, "merge" | "within">,
  base: Tree,
  works: readonly Contribution[],
): Promise<Integration> {
  const left = [...works];
  const conflicts: Conflict[] = [];
  for (;;) {
    if (left.length === 0) return { tree: base, taken: [], conflicts };
    const trees = left.map((work) => work.after);
    const merged = await within(`merge-${conflicts.length + 1}`, () => merge(base, trees));
    if (merged.clean) return { tree: merged.tree, taken: left.map((work) => work.id), conflicts };
    const [later] = left.splice(merged.at, 1);
    conflicts.push({ id: later?.id ?? "", files: merged.conflicts });
  }
}
