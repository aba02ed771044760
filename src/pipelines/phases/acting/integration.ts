import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { type Contribution, mergeContributions } from "../../merge-contributions.ts";
import { filterRedChecks } from "./phase-checks.ts";

type WaveWork = {
  readonly tree: Tree;
  readonly works: readonly Contribution[];
  readonly task: string;
  readonly changes: boolean;
};
type OmittedPhase = { readonly id: string; readonly reason: string };
type IntegrationResult = {
  readonly tree: Tree;
  readonly taken: readonly string[];
  readonly left: readonly OmittedPhase[];
};

/**
 * Merges the phases of a wave into one tree. A phase that conflicts, or that is green alone and red with the others, is
 * dropped from the end; the later phase runs again on top of the rest.
 */
export async function mergeWave(
  verbs: Verbs<unknown>,
  { tree, works, task, changes }: WaveWork,
): Promise<IntegrationResult> {
  const left: OmittedPhase[] = [];
  let some = works;
  for (let turn = 1; ; turn += 1) {
    const merged = await verbs.within(`together-${turn}`, () => mergeContributions(verbs, tree, some));
    left.push(...merged.conflicts.map(({ id, files }) => ({ id, reason: `conflicts in ${files.join(", ")}` })));
    const last = merged.taken.at(-1);
    if (!changes || merged.taken.length < 2 || last === undefined) return { ...merged, left };
    const evidence = await verbs.within(`check-${turn}`, () => verbs.check(merged.tree, { baseline: tree, task }));
    const red = filterRedChecks(evidence.checks).map(({ name, outcome }) => `${name}: ${outcome}`);
    if (red.length === 0) return { ...merged, left };
    left.push({ id: last, reason: `together with the rest of its wave, ${red.join(", ")}` });
    some = some.filter(({ id }) => merged.taken.includes(id) && id !== last);
  }
}
