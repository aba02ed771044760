import type { ExamTrees } from "../../../core/journal/effect.ts";
import type { RunOldTests } from "./doubtful-failures.ts";

type SurroundingTree = NonNullable<ExamTrees["around"]>[number];

/** Old tests that fail because of files around them. */
export type SurroundingsFailure = Pick<SurroundingTree, "paths" | "how"> & { readonly named: readonly string[] };

/** Runs the old tests on one tree after the other, up to the first that fails: a person is asked then. */
export async function runWithSurroundings(
  { around = [] }: ExamTrees,
  sit: RunOldTests,
): Promise<readonly SurroundingsFailure[]> {
  for (const [at, each] of around.entries()) {
    const label = `around-${at + 1}`;
    const named = await sit(each.tree, label);
    const kept = named.length > 0 ? await confirmFailure(each, named, (tree) => sit(tree, `${label}-emptied`)) : [];
    if (kept.length > 0) return [{ paths: each.paths, how: each.how, named: kept }];
  }
  return [];
}

/**
 * Confirms a failure beside new tests. New tests may need a newer helper than the old ones and keep them from running,
 * so a failure counts only if the emptied files cause it too, or if the code can read around itself.
 */
async function confirmFailure(
  each: SurroundingTree,
  named: readonly string[],
  sit: (tree: string) => Promise<readonly string[]>,
) {
  if (each.how !== "beside") return named;
  const without = each.emptied === undefined ? [] : await sit(each.emptied);
  return without.length > 0 ? without : each.looks ? named : [];
}

/** Formats the finding for a person. */
export function formatSurroundingsFinding({ paths, how }: SurroundingsFailure, listed: string): string {
  const files = paths.slice(0, SHOWN).join(", ");
  const fail = "Old tests fail on the new code";
  if (how === "beside") return `${fail} beside ${files}, which is new, and pass without it: ${listed}.`;
  if (how === "without") return `${fail} without ${files}, which is new and which no code imports: ${listed}.`;
  if (how === "packages") return `${fail} with packages for development as ${files} had them: ${listed}.`;
  return `${fail} with ${files} as it was, which only tests import: ${listed}.`;
}

const SHOWN = 5;
