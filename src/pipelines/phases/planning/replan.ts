import { briefOf } from "../../../core/authoring/brief.ts";
import type { Decision } from "../../../core/authoring/decision.ts";
import { valueRule } from "../../../core/authoring/rule.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { canonical } from "../../../core/text/json.ts";
import { recordIgnoredAnnouncements } from "../../ignored-announcements.ts";
import { DELIVERY_RULE } from "../acting/acting-rules.ts";
import { delegate } from "../acting/delegations.ts";
import { type Fault, listDispatchFaults } from "../acting/failures.ts";
import { getPlanPath } from "../artifacts.ts";
import { decideGate } from "../events.ts";
import { judgeProblems as judgedBy } from "../review/findings.ts";
import { planner } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";
import type { Phase, Plan } from "./plan.ts";
import { formatPhaseBrief } from "./plan-brief.ts";
import { PLAN_RULES } from "./plan-rules.ts";
import { listRisks } from "./risks.ts";

/**
 * @rule P-51 (gate) A replan while ACTING may change only the failed phase; a change to any other phase returns the run
 *   to planning and requires a new approval.
 */
export const LOCAL_REPLAN_RULE = valueRule({
  id: "P-51",
  because: "the replan changes no other phase",
  judge: ({ reaches }: { reaches: readonly number[] }) =>
    judgedBy(reaches.map((id) => `phase ${id} would change too: the plan needs a new approval`)),
});

export type ReplanResult = {
  readonly decision: Decision;
  /** The replanned phase, if the gate and a person accepted it. */
  readonly phase?: Phase;
  readonly confirmed?: boolean;
  /** A plan that affects other phases and needs gate, approval and review. */
  readonly proposal?: Plan;
  readonly faults: readonly Fault[];
};

type FailedPhase = { readonly plan: Plan; readonly phase: Phase; readonly faults: readonly Fault[] };

/** Asks the planner to repair one failed phase, with only that phase and its failures. */
export async function requestReplan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  failed: FailedPhase,
): Promise<ReplanResult> {
  const { phase, faults } = failed;
  const brief = {
    scope: `phase ${phase.phase_id} and nothing else`,
    context_references: [getPlanPath(context.task)],
    task_description: `Replan phase ${phase.phase_id} so that it can be executed: ${phase.title}`,
    failed_phase: phase,
    evidence: faults,
  };
  const spent = faults.map((fault) => fault.class);
  const answer = await delegate(verbs, context, { role: planner, brief, spent, task: `phase-${phase.phase_id}` });
  if (!answer.ok || answer.value.status !== "READY_FOR_EXECUTION") {
    const reason = answer.ok ? `the planner answers ${answer.value.status}` : answer.failure.message;
    return judgeMissingReplan(verbs, context, { phase, reason, faults: listDispatchFaults(answer) });
  }
  const { by: _, retried: __, ...proposal } = answer.value;
  return judgeReplan(verbs, context, { ...failed, proposal, faults: listDispatchFaults(answer) });
}

async function judgeMissingReplan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { phase, reason, faults }: { readonly phase: Phase; readonly reason: string; readonly faults: readonly Fault[] },
): Promise<ReplanResult> {
  const about = { failed: reason };
  const decision = await decideGate(verbs, context, {
    ...createReplanGate(phase),
    rules: [DELIVERY_RULE],
    about,
    miss: () => "ABSTAIN",
  });
  return { decision, faults: [...faults, { class: "escalate", at: "replan", reason }] };
}

async function judgeReplan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { plan, phase, proposal, faults }: FailedPhase & { readonly proposal: Plan },
): Promise<ReplanResult> {
  const reaches = listAffectedPhases(plan, proposal, phase.phase_id);
  const changed = proposal.phases.find((each) => each.phase_id === phase.phase_id);
  const whole = reaches.length > 0 || !changed ? proposal : replacePhase(plan, changed);
  const about = { plan: whole, reaches };
  const decision = await decideGate(verbs, context, {
    ...createReplanGate(phase),
    rules: [...PLAN_RULES, LOCAL_REPLAN_RULE],
    about,
  });
  if (reaches.length > 0) return { decision, proposal, faults };
  const known = new Set((plan.announces ?? []).map(canonical));
  const added = (proposal.announces ?? []).filter((each) => !known.has(canonical(each)));
  await recordIgnoredAnnouncements(verbs, added, "a replanned phase cannot declare new changes");
  if (!decision.passed || !changed) {
    const reason = decision.findings.map((finding) => finding.message).join("; ");
    return { decision, faults: [...faults, { class: "needs_replan", at: "replan", reason }] };
  }
  return { decision, faults, ...(await askForReplan(verbs, context, { before: phase, after: changed })) };
}

const createReplanGate = (phase: Phase) =>
  ({
    type: "PLAN_GATE",
    state: "ACTING",
    phase: phase.phase_id,
    next: { go: `dispatch ${phase.executor_agent}`, miss: "the phase is not dispatched" },
  }) as const;

/** A changed phase needs a new approval. */
async function askForReplan(
  { phase: heading, ask }: Verbs<unknown>,
  { policy }: PhasesContext,
  { before, after }: { readonly before: Phase; readonly after: Phase },
): Promise<Pick<ReplanResult, "phase" | "confirmed"> & { readonly faults?: readonly Fault[] }> {
  if (canonical(before) === canonical(after)) return { phase: after };
  const risks = listRisks(after, policy);
  heading("WAITING_APPROVAL");
  const title = `Phase ${after.phase_id} was replanned. Approve it?`;
  const auto = risks.length > 0 ? "never" : "approve";
  const { choice, note } = await ask({
    title,
    show: { before, after, risks },
    brief: briefOf([
      formatPhaseBrief(after),
      { title: "Risks", lines: [...risks] },
      { ...formatPhaseBrief(before), title: "Before" },
    ]),
    choices: ["approve", "refuse"],
    auto,
    leads: LEADS,
  });
  heading("ACTING");
  if (choice === "approve") return { phase: after, confirmed: risks.length > 0 };
  const reason = `the replanned phase was refused${note ? `: ${note}` : ""}`;
  return { faults: [{ class: "escalate", at: "replan", reason }] };
}

const LEADS = {
  approve: "the phase runs as replanned",
  refuse: "the phase counts as failed, and you decide what happens next",
};

/** Other phases that a new version of the plan would change, add or drop. */
export function listAffectedPhases(before: Plan, after: Pick<Plan, "phases">, id: number): readonly number[] {
  // A plan with only the failed phase leaves the others unchanged.
  if (after.phases.length === 1 && after.phases[0]?.phase_id === id) return [];
  const ids = new Set([...before.phases, ...after.phases].map((phase) => phase.phase_id));
  const at = ({ phases }: Pick<Plan, "phases">, each: number) =>
    canonical(phases.find((phase) => phase.phase_id === each) ?? null);
  return [...ids].filter((each) => each !== id && at(before, each) !== at(after, each)).sort((a, b) => a - b);
}

export const replacePhase = (plan: Plan, changed: Phase): Plan => ({
  ...plan,
  phases: plan.phases.map((phase) => (phase.phase_id === changed.phase_id ? changed : phase)),
});
