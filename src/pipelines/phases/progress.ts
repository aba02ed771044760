import type { Tree } from "../../core/authoring/tree.ts";
import { canonical, type Json } from "../../core/text/json.ts";
import type { ExecutionReport, WaveStart } from "./acting/execute-phase.ts";
import type { Fault } from "./acting/failures.ts";
import type { PhaseResult } from "./acting/phase.ts";
import type { MemoryLine } from "./closing/repo-memory.ts";
import type { SettledChoice } from "./planning/clarification.ts";
import type { Phase, Plan } from "./planning/plan.ts";
import type { PlanReviewSummary, ReviewedPlan } from "./planning/plan-review.ts";
import { replacePhase } from "./planning/replan.ts";
import { createTodos } from "./todo.ts";

/** State of the work between waves. Branches get a copy when their wave begins; only code after the wave changes it. */
export type Progress = {
  plan: Plan;
  review: PlanReviewSummary;
  tree: Tree;
  /** Complete and merged phases. */
  readonly done: Map<number, PhaseResult>;
  readonly marked: Set<number>;
  /** Phases as approved; a changed phase needs a new approval. */
  readonly approved: Map<number, Phase>;
  /** Risky phases that a person approved. */
  readonly confirmed: Set<number>;
  readonly decisions: SettledChoice[];
  /** Failures of incomplete phases, and hints for their next attempt. */
  readonly faults: Map<number, readonly Fault[]>;
  readonly hints: Map<number, string>;
  /** Phases that met a transient failure, by wave. */
  readonly faulty: Map<number, Set<number>>;
  /** All failures of the run, for the lessons. */
  readonly history: { readonly phase: number; readonly fault: Fault }[];
  /** The repository's memory; undefined until it is first read. */
  memory: readonly MemoryLine[] | undefined;
  /** The commit subject, if a person asked for another one than the plan's title. */
  subject: string | undefined;
  /** Finished phases whose verdict was shown to a person. */
  readonly shown: Set<number>;
};

export type ActingStart = ReviewedPlan & { readonly tree: Tree };

export function openProgress({ plan, review, tree, decisions }: ActingStart): Progress {
  return {
    ...{ plan, review, tree },
    done: new Map(),
    marked: new Set(),
    approved: new Map(),
    confirmed: new Set(),
    decisions: [...decisions],
    faults: new Map(),
    hints: new Map(),
    faulty: new Map(),
    history: [],
    memory: undefined,
    subject: undefined,
    shown: new Set(),
  };
}

/** The open phases of the lowest wave that has any. */
export function findNextWave(plan: Pick<Plan, "phases">, done: readonly number[]): readonly Phase[] {
  const open = plan.phases.filter((phase) => !done.includes(phase.phase_id));
  const wave = Math.min(...open.map((phase) => phase.wave));
  return open.filter((phase) => phase.wave === wave);
}

export const isApproved = (progress: Progress, phase: Phase): boolean =>
  canonical(progress.approved.get(phase.phase_id) ?? null) === canonical(phase);

export function captureWaveStart(progress: Progress): WaveStart {
  return {
    complete: [...progress.done.keys()],
    todo: createTodos(progress.plan, [...progress.marked]),
    decisions: [...progress.decisions],
    delivered: [...progress.done.values()].map(toDelivery),
  };
}

const toDelivery = ({ phase, summaries, changed }: PhaseResult): Json => ({
  phase_id: phase.phase_id,
  title: phase.title,
  summary: summaries.join(" "),
  changed: [...changed],
});

/** Adds rework to a complete phase, and marks its verdict as not shown, so that the person sees the result. */
export function addRework(progress: Progress, id: number, work: ExecutionReport): void {
  progress.tree = work.after;
  const before = progress.done.get(id);
  if (!before) return;
  progress.done.set(id, {
    ...before,
    reworks: [...(before.reworks ?? []), work],
    changed: [...new Set([...before.changed, ...work.changed])],
    summaries: [...before.summaries, ...(work.summary ? [work.summary] : [])],
  });
  progress.shown.delete(id);
}

/** Stores the phase as executed, if a local replan changed it. */
export function storeExecutedPhase(
  progress: Progress,
  { phase, confirmed }: Pick<PhaseResult, "phase" | "confirmed">,
): void {
  const id = phase.phase_id;
  if (confirmed) progress.confirmed.add(id);
  if (isApproved(progress, phase)) return;
  progress.plan = replacePhase(progress.plan, phase);
  progress.approved.set(id, phase);
}

/** Replaces the plan. A complete phase stays complete if the new plan has it unchanged. */
export function replacePlan(progress: Progress, { plan, review, decisions }: ReviewedPlan): void {
  progress.plan = plan;
  progress.review = review;
  progress.decisions.splice(0, progress.decisions.length, ...decisions);
  const isPhaseUnchanged = ({ phase }: PhaseResult) =>
    canonical(plan.phases.find((each) => each.phase_id === phase.phase_id) ?? null) === canonical(phase);
  for (const [id, result] of [...progress.done]) if (!isPhaseUnchanged(result)) progress.done.delete(id);
}
