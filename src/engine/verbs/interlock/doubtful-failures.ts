import type { ExamTrees } from "../../../core/journal/effect.ts";

export type DoubtfulFailure = {
  readonly paths: readonly string[];
  /** The other files, if only some belong to the other half. */
  readonly was?: readonly string[];
  readonly named: readonly string[];
};

/** Runs the tests on a tree and returns the old tests that fail there twice without being announced. */
export type RunOldTests = (tree: string, label: string) => Promise<readonly string[]>;

/** Runs the old tests on one tree after the other, up to the first that fails: a person is asked then. */
export async function runDoubtfulTrees(
  { doubtful = [] }: ExamTrees,
  sit: RunOldTests,
): Promise<readonly DoubtfulFailure[]> {
  for (const [at, { tree, ...told }] of doubtful.entries()) {
    const named = await sit(tree, `doubtful-${at + 1}`);
    if (named.length > 0) return [{ ...told, named }];
  }
  return [];
}
