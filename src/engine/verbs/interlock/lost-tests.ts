import { WHOLE_COMMAND } from "../../../core/checks/exam/cross-examine.ts";
import type { CheckedCommand } from "../../../core/journal/effect.ts";
import type { StepPlace } from "../../replay/step.ts";
import { createNever, type Run } from "../../run.ts";
import type { ExamFindings } from "./cross-examine-change.ts";

export type LostTests = NonNullable<CheckedCommand["lost"]>;
type ComparedTrees = { readonly old: string; readonly tree: string };

/**
 * Compares the tests of both trees with their results by name, and looks for code that acts on tests. Undefined if the
 * performer does not support it.
 */
export async function inspectLostTests(
  run: Run,
  place: StepPlace,
  { exam, old, tree }: ComparedTrees & { readonly exam: ExamFindings },
): Promise<LostTests | undefined> {
  const { trees, fates } = exam;
  if (trees.exam.length + trees.code.length === 0) return undefined;
  // Tests of Rust are part of its sources.
  const paths = [...trees.exam, ...trees.code.filter((path) => path.endsWith(".rs"))];
  await run.recorder.durable();
  const results = await run.effect(place.past ? "resume" : "start", {
    id: `${run.id}/${place.key}@lost-tests`,
    run: run.id,
    kind: "check",
    request: {
      tree,
      commands: [],
      inspect: { baseline: old, protectedPaths: [], tests: { ...fates, paths, sources: trees.code } },
    },
  });
  return run.over ? createNever() : results.find(({ lost }) => lost)?.lost;
}

export type Excuses = {
  /** How many earlier tests count against the change, by name. */
  readonly excuses: readonly string[];
  /** How the change edits the tests. */
  readonly diff: readonly string[];
};

/**
 * Lists what an approval would excuse: the tests by name, and how the change edits them. Undefined if no test counts
 * against it.
 */
export function listExcuses(
  { passedBefore }: ExamFindings,
  { named, lost }: { readonly named: readonly string[]; readonly lost: LostTests | undefined },
): Excuses | undefined {
  const unreplaced = lost?.unreplaced ?? [];
  if (named.length === 0 && unreplaced.length === 0) return undefined;
  const counted = named.filter((name) => !name.endsWith(WHOLE_COMMAND));
  const total = Math.max(passedBefore, counted.length);
  const old =
    counted.length > 0 ? [`${counted.length} of ${total} tests that passed before: ${listNames(counted)}`] : [];
  return { excuses: [...old, ...unreplaced], diff: lost?.diff ?? [] };
}

const SHOWN = 5;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
