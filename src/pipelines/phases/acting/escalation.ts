import type { Verbs } from "../../../core/authoring/verbs.ts";
import { giveUp } from "../closing/outcome.ts";
import { selectConcernedPhases } from "../planning/concerned-phases.ts";
import { adoptPlan } from "../planning/plan-review.ts";
import { type Progress, replacePlan } from "../progress.ts";
import type { PhasesContext } from "../run-context.ts";
import { createTodos, listTodos } from "../todo.ts";
import { approveWithPlan } from "./approvals.ts";
import type { PhaseResult } from "./phase.ts";

type FailedWave = { readonly progress: Progress; readonly failed: readonly PhaseResult[] };

/** Takes what the agents could not settle to a person, with the evidence of every attempt, or back to planning. */
export async function escalateFailures(
  verbs: Verbs<{ readonly request: string }>,
  context: PhasesContext,
  { progress, failed }: FailedWave,
): Promise<void> {
  const proposed = failed.find((each) => each.proposal);
  if (proposed?.proposal) {
    const { proposal: plan, decision } = proposed;
    const { request } = verbs.input;
    const { plan: replaces, decisions } = progress;
    const replacement = { request, plan, replaces, findings: decision.findings, decisions };
    const adopted = await adoptPlan(verbs, context, replacement);
    replacePlan(progress, adopted);
    approveWithPlan(progress, context, adopted);
    await listTodos(verbs, createTodos(progress.plan, [...progress.done.keys()]));
    return;
  }
  verbs.phase("WAITING_APPROVAL");
  const reasons = failed.map(({ phase, why }) => `phase ${phase.phase_id}: ${why}`).join("; ");
  const show = failed.map(describeFailedPhase);
  const choices = ["yes", "abort"] as const;
  const title = `Try again? ${reasons}`;
  const answer = await verbs.ask({ title, show, choices, auto: "never", revises: "yes", leads: RETRY_LEADS });
  if (answer.choice === "abort") return giveUp(verbs, context, { progress, reason: reasons, failed });
  // A person's approval resets the budgets. The note goes to the phases that it concerns, together with their last
  // failure.
  const { note = "" } = answer;
  const concerned = selectConcernedPhases(
    note,
    failed.map(({ phase }) => phase),
  );
  for (const { phase, faults } of failed) {
    const comment = note !== "" && concerned.includes(phase) ? `a person says: ${note}` : "";
    const hint = [comment, faults.at(-1)?.reason].filter(Boolean).join("\n");
    progress.faults.delete(phase.phase_id);
    if (hint !== "") progress.hints.set(phase.phase_id, hint);
  }
}

const RETRY_LEADS = {
  yes: "the phases are retried with your note",
  abort: "the run ends with the phases completed so far",
};

/** @rule P-62 (code) A person who is asked about an exhausted phase sees the failure of every attempt. */
export function describeFailedPhase({ phase, why, faults, decision, changed, work }: PhaseResult) {
  const dropped = work?.outside ?? [];
  return {
    phase: phase.phase_id,
    title: phase.title,
    why: why ?? "",
    attempts: faults.map((fault, at) => ({ attempt: at + 1, ...fault })),
    findings: decision.findings,
    changed,
    ...(dropped.length > 0 && { dropped_because_not_planned: dropped }),
  };
}
