import type { Verbs } from "../../core/verbs.ts";
import type { Context } from "./context.ts";
import { giveUp } from "./outcome.ts";
import type { PhaseResult } from "./phase.ts";
import { adopt } from "./plan-review.ts";
import { replaced, type Site } from "./site.ts";
import { listTodos, todoOf } from "./todo.ts";

type Stuck = { readonly site: Site; readonly failed: readonly PhaseResult[] };

/** What the agents could not settle goes to a person with the evidence of every attempt, or back to planning. */
export async function escalate(
  verbs: Verbs<{ readonly request: string }>,
  context: Context,
  { site, failed }: Stuck,
): Promise<void> {
  const proposed = failed.find((each) => each.proposal);
  if (proposed?.proposal) {
    const { proposal: plan, decision } = proposed;
    replaced(site, await adopt(verbs, context, { plan, replaces: site.plan, findings: decision.findings }));
    await listTodos(verbs, todoOf(site.plan, [...site.done.keys()]));
    return;
  }
  verbs.phase("WAITING_APPROVAL");
  const reasons = failed.map(({ phase, why }) => `phase ${phase.phase_id}: ${why}`).join("; ");
  const show = failed.map(evidenceOf);
  const choices = ["yes", "abort"] as const;
  const answer = await verbs.ask({ title: `Try again? ${reasons}`, show, choices, auto: "never" });
  if (answer.choice === "abort") return giveUp(verbs, context, { site, reason: reasons });
  // A person's yes is a fresh start: new budgets, and their note for the agent.
  for (const { phase, faults } of failed) {
    const hint = answer.note ?? faults.at(-1)?.reason;
    site.faults.delete(phase.phase_id);
    if (hint !== undefined) site.hints.set(phase.phase_id, hint);
  }
}

export function evidenceOf({ phase, why, faults, decision, changed }: PhaseResult) {
  return {
    phase: phase.phase_id,
    title: phase.title,
    why: why ?? "",
    attempts: faults.map((fault, at) => ({ attempt: at + 1, ...fault })),
    findings: decision.findings,
    changed,
  };
}
