import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import { type DelegationBrief, delegate } from "../acting/delegations.ts";
import { getPlanPath } from "../artifacts.ts";
import type { Executability } from "../contracts.ts";
import type { SettledChoice } from "../planning/clarification.ts";
import type { Plan } from "../planning/plan.ts";
import { toReviewerView } from "../planning/plan-excerpts.ts";
import { isClean, isSimulation, type ReviewReplies } from "../planning/plan-review-rules.ts";
import type { ReviewHistory } from "../planning/recurring-findings.ts";
import { assumptionVerifier, executabilityVerifier, planAuditor } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";
import { listFocusAreas, type Reviewers } from "./review-scope.ts";

type ReviewRequest = {
  readonly request: string;
  readonly plan: Plan;
  readonly who: Reviewers;
  readonly past: ReviewHistory;
  /** Replies of the previous iteration, if the revision changed only wording or citations. */
  readonly kept: ReviewReplies | undefined;
  /** Decisions of people; reviewers do not reopen them. */
  readonly decisions: readonly SettledChoice[];
};

/**
 * Runs one iteration: PlanAuditor and AssumptionVerifier in parallel, then ExecutabilityVerifier if neither objects.
 * @rule P-55 (policy) Every plan reviewer gets plan path, summary, iteration index and trace id; from the second
 *   iteration, PlanAuditor also gets the verified items.
 * @rule P-79 (policy) A selective rerun never omits ExecutabilityVerifier while it is in scope, and no revision shrinks
 *   a plan out of its review.
 */
export async function reviewOnce(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  reviewRequest: ReviewRequest,
): Promise<ReviewReplies> {
  const { plan, who: reviewers, past, kept } = reviewRequest;
  const iteration = context.iteration.iteration_index;
  const brief = buildReviewBrief(context, reviewRequest);
  const focus = listFocusAreas(plan);
  const audited = {
    ...brief,
    task_id: context.task,
    ...(focus.length > 0 && { focus_areas: focus }),
    ...(iteration > 1 && { verified_items: past.verified }),
  };
  const again = selectReruns(kept);
  const first = await verbs.together({
    audit: async () => {
      if (!reviewers.auditor) return undefined;
      return again.audit
        ? askUntilAnswered(verbs, planAuditor.name, () =>
            delegate(verbs, context, { role: planAuditor, brief: audited }),
          )
        : kept?.audit;
    },
    mirages: async () => {
      if (!reviewers.assumption) return undefined;
      return again.mirages
        ? askUntilAnswered(verbs, assumptionVerifier.name, () =>
            delegate(verbs, context, { role: assumptionVerifier, brief }),
          )
        : kept?.mirages;
    },
  });
  const replies = { iteration, past, ...first };
  if (!reviewers.executability || !isClean(replies)) return replies;
  return { ...replies, executability: await simulatePlan(verbs, context, brief) };
}

/**
 * Reviewers to ask again after a change of wording: only those who objected. ExecutabilityVerifier is always asked if
 * it is in scope.
 */
export function selectReruns(kept: ReviewReplies | undefined): { readonly audit: boolean; readonly mirages: boolean } {
  if (!kept) return { audit: true, mirages: true };
  const { audit: _audit, ...withoutAudit } = kept;
  const { mirages: _mirages, ...withoutMirages } = kept;
  return { audit: !isClean(withoutMirages), mirages: !isClean(withoutAudit) };
}

function buildReviewBrief({ task }: PhasesContext, { request, plan, decisions }: ReviewRequest): DelegationBrief {
  const { summary, ...rest } = plan;
  return {
    scope: `the plan, ${plan.phases.length} phases`,
    context_references: [getPlanPath(task)],
    task_description: request,
    plan_path: getPlanPath(task),
    plan_summary: summary,
    plan: toReviewerView(rest),
    ...(decisions.length > 0 && { decisions }),
  };
}

const NO_ANSWER_LEADS = {
  "ask again": "the same reviewer is asked once more",
  "go on without": "the plan is judged without this reviewer",
  abort: "the run ends here",
};
const SIMULATION_LEADS = { yes: "your answer counts as its verdict", no: "the plan goes back to the planner" };

/** Asks a person what to do about a reviewer that gave no answer; that is no abstention. */
async function askUntilAnswered<T>(
  verbs: Verbs<unknown>,
  name: string,
  dispatch: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  for (let tried = 1; ; tried += 1) {
    const answer = await verbs.within(`try-${tried}`, dispatch, { repeats: true });
    if (answer.ok) return answer;
    const choice = await verbs.within(`unheard-${tried}`, async () => {
      verbs.phase("WAITING_APPROVAL");
      const title = `No answer from ${name}. Ask again?`;
      const choices = ["ask again", "go on without", "abort"] as const;
      const reply = await verbs.ask({
        title,
        show: answer.failures ?? [answer.failure],
        choices,
        auto: "never",
        leads: NO_ANSWER_LEADS,
      });
      verbs.phase("PLAN_REVIEW");
      return reply.choice;
    });
    if (choice === "abort") return verbs.end({ status: "error", reason: `${name}: ${answer.failure.message}` });
    if (choice === "go on without") return answer;
  }
}

/**
 * @rule P-70 (policy) An ABSTAIN of ExecutabilityVerifier is not PASS: the engine makes one retry, then asks a person.
 */
async function simulatePlan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  brief: DelegationBrief,
): Promise<Outcome<Executability>> {
  for (const name of ["simulation", "second-simulation"]) {
    const answer = await verbs.within(name, () => delegate(verbs, context, { role: executabilityVerifier, brief }));
    if (answer.ok && isSimulation(answer.value)) return answer;
  }
  verbs.phase("WAITING_APPROVAL");
  const title = "ExecutabilityVerifier gave no usable result. Can the plan be executed?";
  const { choice } = await verbs.ask({
    title,
    show: brief,
    choices: ["yes", "no"],
    auto: "never",
    leads: SIMULATION_LEADS,
  });
  verbs.phase("PLAN_REVIEW");
  return { ok: true, value: toSimulation(choice) };
}

/** Converts a person's answer to a simulation result. */
function toSimulation(choice: "yes" | "no"): Executability {
  const description = "a person says that the plan cannot be executed";
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
