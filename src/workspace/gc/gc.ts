import type { Disposable, GcResult } from "../../core/ports/workspace.ts";
import type { Store } from "../repository/store.ts";
import { leftAttempts, leftHomes, leftScratch, leftTrash } from "./leftovers.ts";

/** Items that are removed together or not at all. */
export type Waste = { readonly names: readonly string[]; readonly bytes: number; remove(): Promise<void> };
export type Plan = { readonly goes: readonly Waste[]; readonly stays: GcResult["kept"] };

type GcOrder = {
  readonly runs: readonly Disposable[];
  readonly dryRun: boolean;
  /** Decides which of a run's refs are removed. */
  readonly plan: (run: Disposable) => Promise<Plan>;
};

/** Plans everything first, so that a dry run reports exactly what a real one does. */
export async function collectGarbage(store: Store, { runs, dryRun, plan }: GcOrder): Promise<GcResult> {
  const plans: Plan[] = [];
  for (const run of runs) plans.push(await plan(run));
  plans.push(await leftAttempts(store, runs), await leftHomes(store, runs), await leftScratch(store));
  plans.push(await leftTrash(store));
  const goes = plans.flatMap(({ goes }) => goes).filter(({ names }) => names.length > 0);
  if (!dryRun) for (const waste of goes) await waste.remove();
  return {
    removed: goes.flatMap(({ names }) => names).sort(),
    kept: plans.flatMap(({ stays }) => stays),
    bytes: goes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
