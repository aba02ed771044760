import type { DisposableRun, GcResult } from "../../core/ports/workspace.ts";
import type { GitStore } from "../repository/git-store.ts";
import { planLeftAttempts, planLeftHomes, planScratch, planTrash } from "./leftovers.ts";

/** Items that are removed together or not at all. */
export type WasteItem = { readonly names: readonly string[]; readonly bytes: number; remove(): Promise<void> };
export type GcPlan = { readonly goes: readonly WasteItem[]; readonly stays: GcResult["kept"] };

type GcOrder = {
  readonly runs: readonly DisposableRun[];
  readonly dryRun: boolean;
  /** Decides which of a run's refs are removed. */
  readonly plan: (run: DisposableRun) => Promise<GcPlan>;
};

/** Plans everything first, so that a dry run reports exactly what a real one does. */
export async function collectGarbage(store: GitStore, { runs, dryRun, plan }: GcOrder): Promise<GcResult> {
  const plans: GcPlan[] = [];
  for (const run of runs) plans.push(await plan(run));
  plans.push(await planLeftAttempts(store, runs), await planLeftHomes(store, runs), await planScratch(store));
  plans.push(await planTrash(store));
  const goes = plans.flatMap(({ goes }) => goes).filter(({ names }) => names.length > 0);
  if (!dryRun) for (const waste of goes) await waste.remove();
  return {
    removed: goes.flatMap(({ names }) => names).sort(),
    kept: plans.flatMap(({ stays }) => stays),
    bytes: goes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
