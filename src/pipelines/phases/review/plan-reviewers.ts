import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import { type Brief, delegate } from "../acting/delegations.ts";
import { planPath } from "../artifacts.ts";
import type { Executability } from "../contracts.ts";
import type { Context } from "../iteration.ts";
import type { Choice } from "../planning/clarification.ts";
import type { Plan } from "../planning/plan.ts";
import { reviewedPlan } from "../planning/plan-excerpts.ts";
import { isClean, isSimulation, type ReviewReplies } from "../planning/plan-review-rules.ts";
import type { ReviewHistory } from "../planning/recurring-findings.ts";
import { assumptionVerifier, executabilityVerifier, planAuditor } from "../roles.ts";
import { focusAreas, type Reviewers } from "./review-scope.ts";

type ReviewRequest = {
  readonly request: string;
  readonly plan: Plan;
  readonly who: Reviewers;
  readonly past: ReviewHistory;
  /** The iteration before, where the revision changed words and citations only. */
  readonly kept: ReviewReplies | undefined;
  /** What people have settled: nothing of it is open any more. */
  readonly decisions: readonly Choice[];
};

/**
 * One iteration: auditor and assumption verifier side by side, and the executability verifier once both are content.
 * @rule P-55 (policy) A plan reviewer is told where the plan is, what it is about and which iteration this is; the
 *   auditor also what held before.
 * @rule P-79 (policy) A rerun that spares somebody never spares the executability verifier, and no plan shrinks out of
 *   its review.
 */
export async function reviewOnce(
  verbs: Verbs<unknown>,
  context: Context,
  asked: ReviewRequest,
): Promise<ReviewReplies> {
  const { plan, who, past, kept } = asked;
  const iteration = context.iteration.iteration_index;
  const brief = briefOf(context, asked);
  const focus = focusAreas(plan);
  const audited = {
    ...brief,
    task_id: context.task,
    ...(focus.length > 0 && { focus_areas: focus }),
    ...(iteration > 1 && { verified_items: past.verified }),
  };
  const again = rerun(kept);
  const first = await verbs.together({
    audit: async () => {
      if (!who.auditor) return undefined;
      return again.audit
        ? heard(verbs, planAuditor.name, () => delegate(verbs, context, { role: planAuditor, brief: audited }))
        : kept?.audit;
    },
    mirages: async () => {
      if (!who.assumption) return undefined;
      return again.mirages
        ? heard(verbs, assumptionVerifier.name, () => delegate(verbs, context, { role: assumptionVerifier, brief }))
        : kept?.mirages;
    },
  });
  const seen = { iteration, past, ...first };
  if (!who.executability || !isClean(seen)) return seen;
  return { ...seen, executability: await simulated(verbs, context, brief) };
}

/**
 * After a change of words only those look again who objected; the executability verifier has no part in this and is
 * asked whenever it is in scope.
 */
export function rerun(kept: ReviewReplies | undefined): { readonly audit: boolean; readonly mirages: boolean } {
  if (!kept) return { audit: true, mirages: true };
  const { audit: _audit, ...withoutAudit } = kept;
  const { mirages: _mirages, ...withoutMirages } = kept;
  return { audit: !isClean(withoutMirages), mirages: !isClean(withoutAudit) };
}

function briefOf({ task }: Context, { request, plan, decisions }: ReviewRequest): Brief {
  const { summary, ...rest } = plan;
  return {
    scope: `the plan, ${plan.phases.length} phases`,
    context_references: [planPath(task)],
    task_description: request,
    plan_path: planPath(task),
    plan_summary: summary,
    plan: reviewedPlan(rest),
    ...(decisions.length > 0 && { decisions }),
  };
}

const UNHEARD = {
  "ask again": "the same reviewer is asked once more",
  "go on without": "the plan is judged without this reviewer",
  abort: "the run ends here",
};
const SIMULATED = { yes: "your word counts as its verdict", no: "the plan goes back to be planned again" };

/** A reviewer that could not be heard is no reviewer without an opinion: a person says how to go on. */
async function heard<T>(verbs: Verbs<unknown>, name: string, dispatch: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  for (let tried = 1; ; tried += 1) {
    const answer = await verbs.within(`try-${tried}`, dispatch, { repeats: true });
    if (answer.ok) return answer;
    const choice = await verbs.within(`unheard-${tried}`, async () => {
      verbs.phase("WAITING_APPROVAL");
      const title = `${name} could not be heard. Ask again?`;
      const choices = ["ask again", "go on without", "abort"] as const;
      const said = await verbs.ask({
        title,
        show: answer.failures ?? [answer.failure],
        choices,
        auto: "never",
        leads: UNHEARD,
      });
      verbs.phase("PLAN_REVIEW");
      return said.choice;
    });
    if (choice === "abort") return verbs.end({ status: "error", reason: `${name}: ${answer.failure.message}` });
    if (choice === "go on without") return answer;
  }
}

/** @rule P-70 (policy) An executability verifier without an opinion is asked once more, and then a person is. */
async function simulated(verbs: Verbs<unknown>, context: Context, brief: Brief): Promise<Outcome<Executability>> {
  for (const name of ["simulation", "second-simulation"]) {
    const answer = await verbs.within(name, () => delegate(verbs, context, { role: executabilityVerifier, brief }));
    if (answer.ok && isSimulation(answer.value)) return answer;
  }
  verbs.phase("WAITING_APPROVAL");
  const title = "Nobody could say whether the plan can be carried out. Can it?";
  const { choice } = await verbs.ask({ title, show: brief, choices: ["yes", "no"], auto: "never", leads: SIMULATED });
  verbs.phase("PLAN_REVIEW");
  return { ok: true, value: sayOf(choice) };
}

/** What a person says counts as a simulation of everything. */
function sayOf(choice: "yes" | "no"): Executability {
  const description = "a person says that the plan cannot be carried out";
  const can = choice === "yes";
  return {
    agent: executabilityVerifier.name,
    status: can ? "PASS" : "FAIL",
    confidence: 1,
    abstain: { is_abstaining: false, reasons: [] },
    tasks_simulated: [{ task_id: "all", task_verdict: can ? "EXECUTABLE" : "BLOCKED" }],
    findings: can ? [] : [{ severity: "MAJOR", description }],
  };
}
