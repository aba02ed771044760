import { canonical, type Json } from "../../core/json.ts";
import type { Tree } from "../../core/tree.ts";
import type { Choice } from "./clarification.ts";
import type { Standing } from "./execution.ts";
import type { MemoryLine } from "./facts.ts";
import type { Fault } from "./failures.ts";
import type { PhaseResult } from "./phase.ts";
import type { Phase, Plan } from "./plan.ts";
import type { PlanReviewed } from "./plan-review.ts";
import { withPhase } from "./replan.ts";
import { todoOf } from "./todo.ts";

/**
 * Where the work stands between waves. Branches get a copy of what they need when their wave begins; only what comes
 * after them changes it.
 */
export type Site = {
  plan: Plan;
  review: PlanReviewed;
  tree: Tree;
  /** Complete and integrated, by phase. */
  readonly done: Map<number, PhaseResult>;
  readonly marked: Set<number>;
  /** Phases as they were approved; a changed one is asked about again. */
  readonly approved: Map<number, Phase>;
  /** Risky phases that a person said yes to. */
  readonly confirmed: Set<number>;
  readonly decisions: Choice[];
  /** What went wrong with phases that are not complete yet, and what to tell them. */
  readonly faults: Map<number, readonly Fault[]>;
  readonly hints: Map<number, string>;
  /** Which phases met a passing fault, by wave. */
  readonly faulty: Map<number, Set<number>>;
  /** Everything that ever went wrong, for the lessons. */
  readonly history: { readonly phase: number; readonly fault: Fault }[];
  /** The repository's memory, once it was looked at. */
  memory: readonly MemoryLine[] | undefined;
  /** Finished phases whose verdict a person has been shown. */
  readonly shown: Set<number>;
};

export type Start = { readonly plan: Plan; readonly review: PlanReviewed; readonly tree: Tree };

export function openSite(start: Start): Site {
  return {
    ...start,
    done: new Map(),
    marked: new Set(),
    approved: new Map(),
    confirmed: new Set(),
    decisions: [],
    faults: new Map(),
    hints: new Map(),
    faulty: new Map(),
    history: [],
    memory: undefined,
    shown: new Set(),
  };
}

/** The open phases of the lowest wave that has any. */
export function nextWave(plan: Pick<Plan, "phases">, done: readonly number[]): readonly Phase[] {
  const open = plan.phases.filter((phase) => !done.includes(phase.phase_id));
  const wave = Math.min(...open.map((phase) => phase.wave));
  return open.filter((phase) => phase.wave === wave);
}

export const isApproved = (site: Site, phase: Phase): boolean =>
  canonical(site.approved.get(phase.phase_id) ?? null) === canonical(phase);

export function standingOf(site: Site): Standing {
  return {
    complete: [...site.done.keys()],
    todo: todoOf(site.plan, [...site.marked]),
    decisions: [...site.decisions],
    delivered: [...site.done.values()].map(deliveryOf),
  };
}

const deliveryOf = ({ phase, work, changed }: PhaseResult): Json => ({
  phase_id: phase.phase_id,
  title: phase.title,
  summary: work?.summary ?? "",
  changed: [...changed],
});

/** A phase as it was carried out, where a local replan changed it. */
export function settled(site: Site, { phase, confirmed }: Pick<PhaseResult, "phase" | "confirmed">): void {
  const id = phase.phase_id;
  if (confirmed) site.confirmed.add(id);
  if (isApproved(site, phase)) return;
  site.plan = withPhase(site.plan, phase);
  site.approved.set(id, phase);
}

/** A new version of the plan: what was done and is planned the same stays done. */
export function replaced(site: Site, { plan, review }: Omit<Start, "tree">): void {
  site.plan = plan;
  site.review = review;
  const same = ({ phase }: PhaseResult) =>
    canonical(plan.phases.find((each) => each.phase_id === phase.phase_id) ?? null) === canonical(phase);
  for (const [id, result] of [...site.done]) if (!same(result)) site.done.delete(id);
}
