import type { Disposable, GcResult } from "../../core/ports/workspace.ts";
import type { Store } from "../repository/store.ts";
import { leftAttempts, leftHomes, leftScratch } from "./leftovers.ts";
import { runRefs } from "./run-refs.ts";

/** Something that goes, together or not at all. */
export type Waste = { readonly names: readonly string[]; readonly bytes: number; remove(): Promise<void> };
export type Plan = { readonly goes: readonly Waste[]; readonly stays: GcResult["kept"] };

type GcOrder = { readonly runs: readonly Disposable[]; readonly dryRun: boolean };

/** Decides everything first, so that a dry run shows what a real one does. */
export async function collectGarbage(store: Store, { runs, dryRun }: GcOrder): Promise<GcResult> {
  const plans: Plan[] = [];
  for (const run of runs) plans.push(await runRefs(store, run, dryRun));
  plans.push(await leftAttempts(store, runs), await leftHomes(store, runs), await leftScratch(store));
  const goes = plans.flatMap((plan) => plan.goes).filter(({ names }) => names.length > 0);
  if (!dryRun) for (const waste of goes) await waste.remove();
  return {
    removed: goes.flatMap(({ names }) => names).sort(),
    kept: plans.flatMap((plan) => plan.stays),
    bytes: goes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
