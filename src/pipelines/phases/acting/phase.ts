import type { Decision } from "../../../core/authoring/decision.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Phase, Plan } from "../planning/plan.ts";
import { getPhaseKind, listParallelCodePhases } from "../planning/plan-rules.ts";
import { requestReplan } from "../planning/replan.ts";
import type { ReviewVerdict } from "../review/code-review.ts";
import { toIssueFinding } from "../review/findings.ts";
import type { PhasesContext } from "../run-context.ts";
import { DELIVERY_RULE } from "./acting-rules.ts";
import {
  type ExecutionOrder,
  type ExecutionReport,
  type ExecutionResult,
  executePhase,
  type WaveStart,
} from "./execute-phase.ts";
import { countFaultsByClass, type Fault, routeFailures } from "./failures.ts";
import { decidePhaseGate, judgePhase, type PhaseJudgement } from "./phase-review.ts";

export type PhaseResult = {
  /** The phase as it was executed; a local replan may have changed it. */
  readonly phase: Phase;
  readonly confirmed: boolean;
  readonly passed: boolean;
  readonly after: Tree;
  readonly decision: Decision;
  /** All failures, in order. */
  readonly faults: readonly Fault[];
  readonly work?: ExecutionReport;
  /** Reports of later rework: for the final review, or after a person's rejection. */
  readonly reworks?: readonly ExecutionReport[];
  /** Files that the engine saw change. */
  readonly changed: readonly string[];
  readonly verdicts: readonly ReviewVerdict[];
  /** The executor's summary of each round that delivered work. */
  readonly summaries: readonly string[];
  readonly why?: string;
  /** A replan that affects other phases. */
  readonly proposal?: Plan;
};

/** All reports of its executors, in order. */
export const listPhaseReports = ({
  work,
  reworks = [],
}: Pick<PhaseResult, "work" | "reworks">): readonly ExecutionReport[] => (work ? [work, ...reworks] : reworks);

export type PhaseTask = {
  readonly phase: Phase;
  readonly plan: Plan;
  readonly tree: Tree;
  /** The files of the phase as approved, and a flag that is true if a person approved its risks. */
  readonly approved: readonly string[];
  readonly confirmed: boolean;
  readonly standing: WaveStart;
  /** Failures of earlier passes. */
  readonly faults: readonly Fault[];
  readonly hint?: string;
};

/** State of a phase between two rounds. Immutable: every round returns a new one. */
type RoundState = {
  readonly phase: Phase;
  readonly approved: readonly string[];
  readonly confirmed: boolean;
  /**
   * Start of the next dispatch: a revision continues from the judged work, anything else starts from the task's tree.
   */
  readonly tree: Tree;
  /** Input of the next dispatch. */
  readonly brief: RoundBrief;
  readonly faults: readonly Fault[];
  readonly verdicts: readonly ReviewVerdict[];
  /** The work judged last, and the files that the engine saw change. */
  readonly work?: ExecutionReport;
  readonly changed: readonly string[];
  readonly summaries: readonly string[];
  readonly proposal?: Plan;
};

type RoundBrief = Pick<ExecutionOrder, "revision" | "hint" | "output" | "dropped" | "kept">;
type RoundResult = { readonly progress: RoundState; readonly decision: Decision };

/** Runs one phase until it is complete or has used up its retries. */
export async function runPhase(verbs: Verbs<unknown>, context: PhasesContext, task: PhaseTask): Promise<PhaseResult> {
  let progress = startProgress(task);
  const stop = () => {
    if (progress.proposal) return "the replan changes other phases too";
    const next = routeFailures(listFaultClasses(progress), context.policy);
    return next.go === "escalate" ? next.why : undefined;
  };
  const max = 1 + context.policy.retry_budgets.max_retries_per_phase;
  const { ended, decision, why } = await verbs.loop({ max, stop }, async () => {
    verbs.phase("ACTING");
    await verbs.note(describePhaseState(progress, "ACTING"));
    const round = await runRound(verbs, context, { task, progress });
    progress = round.progress;
    return { decision: round.decision };
  });
  const passed = ended === "passed";
  await verbs.note(describePhaseState(progress, passed ? "complete" : "not complete"));
  const { phase, confirmed, faults, verdicts, changed, summaries, work, proposal, tree: after } = progress;
  const common = { phase, confirmed, passed, after, decision, faults, verdicts, changed, summaries };
  const because = passed ? {} : { why: why ?? "its retries are used up" };
  return { ...common, ...(work && { work }), ...because, ...(proposal && { proposal }) };
}

const startProgress = ({ phase, approved, confirmed, tree, hint, faults }: PhaseTask): RoundState => ({
  ...{ phase, approved, confirmed, tree, faults },
  brief: { revision: [], ...(hint === undefined ? {} : { hint }) },
  verdicts: [],
  changed: [],
  summaries: [],
});

type RoundInput = { readonly task: PhaseTask; readonly progress: RoundState };

/** Runs a local replan if the failures require one, then the dispatch, then the gate and the review of its work. */
async function runRound(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { task, progress }: RoundInput,
): Promise<RoundResult> {
  const route = routeFailures(listFaultClasses(progress), context.policy);
  const planned = route.go === "replan" ? await repairPhase(verbs, context, { task, progress }) : { progress };
  if (planned.decision) return { progress: planned.progress, decision: planned.decision };
  const sent = await executePhase(verbs, context, buildOrder(task, planned.progress));
  const current = addFaults(planned.progress, sent.faults);
  if (!sent.work) return { progress: current, decision: sent.ready };
  if (!sent.work.ok || hasReportFault(sent)) {
    return judgeUndelivered(verbs, context, { task, progress: current, reason: sent.faults.at(-1)?.reason });
  }
  return judgeWork(verbs, context, { task, progress: current, work: sent.work.value });
}

function buildOrder(task: PhaseTask, progress: RoundState): ExecutionOrder {
  const { phase, approved, confirmed, tree, brief } = progress;
  const beside = describeParallelCode(task, phase);
  return {
    phase,
    approved,
    confirmed,
    tree,
    standing: task.standing,
    beside,
    ...brief,
    spent: listFaultClasses(progress),
  };
}

/** Tells a documentation phase which code of its wave is not in its tree yet. */
function describeParallelCode({ plan, standing }: PhaseTask, phase: Phase): readonly string[] {
  if (getPhaseKind(phase) !== "docs") return [];
  return listParallelCodePhases(phase, plan.phases)
    .filter(({ phase_id }) => !standing.complete.includes(phase_id))
    .map(({ phase_id, title, objective }) => `phase ${phase_id} — ${title}: ${objective}`);
}

/** Returns a decision if the planner could not repair the phase alone. */
async function repairPhase(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { task, progress }: RoundInput,
): Promise<{ readonly progress: RoundState; readonly decision?: Decision }> {
  const { phase, faults } = progress;
  const found = await requestReplan(verbs, context, { plan: task.plan, phase, faults });
  const after = { ...addFaults(progress, found.faults), ...(found.proposal && { proposal: found.proposal }) };
  if (!found.phase) return { progress: after, decision: { ...found.decision, passed: false } };
  const approved = found.phase.files.map((file) => file.path);
  const confirmed = found.confirmed ?? progress.confirmed;
  return { progress: { ...after, phase: found.phase, approved, confirmed, tree: task.tree, brief: { revision: [] } } };
}

/** Starts again from the task's tree and passes on the reason, because the agent gave no usable answer. */
async function judgeUndelivered(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { task, progress, reason }: RoundInput & { readonly reason: string | undefined },
): Promise<RoundResult> {
  const { phase, brief } = progress;
  const failed = reason ?? "the agent gave no usable answer";
  const decision = await decidePhaseGate(verbs, context, {
    phase,
    rules: [DELIVERY_RULE],
    about: { kind: getPhaseKind(phase), failed, todo: false },
    spent: listFaultClasses(progress),
    booked: true,
    state: "ACTING",
  });
  const { hint: _, ...kept } = brief;
  const next = { ...kept, revision: [], ...(reason === undefined ? {} : { hint: reason }) };
  return { progress: { ...progress, tree: task.tree, brief: next }, decision };
}

async function judgeWork(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { task, progress, work }: RoundInput & { readonly work: ExecutionReport },
): Promise<RoundResult> {
  const judgement = await judgePhase(verbs, context, {
    phase: progress.phase,
    base: task.tree,
    work,
    spent: listFaultClasses(progress),
    before: progress.verdicts,
    beside: describeParallelCode(task, progress.phase),
    decisions: task.standing.decisions,
  });
  const { decision, changed, verdict, faults } = judgement;
  const verdicts = verdict ? [...progress.verdicts, verdict] : progress.verdicts;
  const summaries = [...progress.summaries, ...(work.summary ? [work.summary] : [])];
  const after = { ...addFaults(progress, faults), tree: work.after, work, changed, verdicts, summaries };
  const brief = { ...buildRevision(judgement), dropped: work.outside, kept: changed };
  return { progress: { ...after, brief }, decision };
}

/**
 * The confirmed issues are the whole next task; advice would widen it.
 * @rule P-60 (code) Validated blocking issues go back to the same executor as its only revision context and count as
 *   `fixable`; the build gate and the review then run again.
 */
function buildRevision({ decision, verdict, faults, seen, output }: PhaseJudgement): RoundBrief {
  const blocking = verdict?.validated_blocking_issues.map(toIssueFinding) ?? [];
  if (blocking.length > 0) return { revision: blocking };
  const hint = faults.at(-1)?.reason;
  return {
    revision: [...decision.findings.filter(({ severity }) => severity !== "minor"), ...seen],
    ...(hint === undefined ? {} : { hint }),
    ...(output === undefined ? {} : { output }),
  };
}

const hasReportFault = ({ faults }: ExecutionResult): boolean => faults.at(-1)?.at === "report";

const addFaults = (progress: RoundState, more: readonly Fault[]): RoundState => ({
  ...progress,
  faults: [...progress.faults, ...more],
});

const listFaultClasses = ({ faults }: RoundState) => faults.map((fault) => fault.class);

function describePhaseState({ phase, faults }: RoundState, state: string) {
  return {
    [`phase ${phase.phase_id}`]: {
      state,
      title: phase.title,
      agent: phase.executor_agent ?? "",
      retries: countFaultsByClass(faults),
    },
  };
}
