import type { Outcome } from "../../core/failure.ts";
import { canonical } from "../../core/json.ts";
import type { Verbs } from "../../core/verbs.ts";
import { abstained, bestOf, isClean, isRejected, isUseful, PLAN_REVIEW, type Seen, stagnated } from "./audit.ts";
import type { Context } from "./context.ts";
import type { Executability, Plan } from "./contracts.ts";
import { type Reviewers, reviewersFor, reviewTriggers, tierOf } from "./plan-rules.ts";
import { planPath, validPlan } from "./planning.ts";
import { assumptionVerifier, executabilityVerifier, planAuditor } from "./roles.ts";

/** The adversarial gate between an approved plan and its execution; most of what it does is send plans back. */
export async function planReview(verbs: Verbs<{ request: string }>, context: Context, approved: Plan): Promise<Plan> {
  const { phase, skip, loop, note } = verbs;
  const why = reviewTriggers(approved, context.policy);
  if (why.length === 0 || !Object.values(reviewersFor(approved)).includes(true)) {
    skip("PLAN_REVIEW", why.length === 0 ? "no trigger is met" : "no reviewer is in scope for this tier");
    return approved;
  }
  const max = Math.max(1, context.policy.max_iterations_by_tier[tierOf(approved)]);
  let plan = approved;
  let verified: readonly string[] = [];
  let rejected = false;
  const stop = (history: Parameters<typeof stagnated>[0]) =>
    rejected ? "the auditor rejects the plan" : stagnated(history);

  const result = await loop({ max, stop }, async ({ round, findings }) => {
    if (round > 1) plan = await validPlan(verbs, context, { research: null, findings, revises: plan });
    phase("PLAN_REVIEW");
    const seen = await reviewOnce(verbs, context, { plan, iteration: round, max, verified });
    if (seen.audit?.ok) verified = seen.audit.value.verified_items;
    rejected = isRejected(seen);
    await note({ abstained: abstained(seen) });
    return { plan, decision: await verbs.gate("PLAN_REVIEW_GATE", [PLAN_REVIEW], { seen, trace_id: context.trace }) };
  });
  if (result.ended === "passed") return confirmed(verbs, approved, result.plan);
  return decided(verbs, result.why ?? "all iterations are used", bestOf(result.all) ?? result);
}

type Asked = {
  readonly plan: Plan;
  readonly iteration: number;
  readonly max: number;
  readonly verified: readonly string[];
};

async function reviewOnce(verbs: Verbs<unknown>, { trace, task }: Context, asked: Asked): Promise<Seen> {
  const { attempt, together } = verbs;
  const { plan, iteration, max, verified } = asked;
  const who: Reviewers = reviewersFor(plan);
  const about = {
    plan_path: planPath(task),
    plan_summary: plan.summary,
    plan,
    trace_id: trace,
    iteration_index: iteration,
    max_iterations: max,
  };
  const first = await together({
    audit: async () => (who.auditor ? attempt(planAuditor, { ...about, verified_items: verified }) : undefined),
    mirages: async () => (who.assumption ? attempt(assumptionVerifier, about) : undefined),
  });
  const seen = { iteration, verified, ...first };
  if (!who.executability || !isClean(seen)) return seen;
  return { ...seen, executability: await simulated(verbs, about) };
}

/** An abstention is not a PASS: asked once more, and then a person says whether the plan can be carried out. */
async function simulated({ attempt, within, ask }: Verbs<unknown>, about: object): Promise<Outcome<Executability>> {
  for (const name of ["simulation", "second-simulation"]) {
    const answer = await within(name, () => attempt(executabilityVerifier, about));
    if (answer.ok && isUseful(answer.value)) return answer;
  }
  const title = "Nobody could say whether the plan can be carried out. Can it?";
  const { choice } = await ask({ title, show: about, choices: ["yes", "no"], auto: "never" });
  const finding = { severity: "MAJOR" as const, description: "a person says that the plan cannot be carried out" };
  const said =
    choice === "yes" ? { status: "PASS" as const, findings: [] } : { status: "FAIL" as const, findings: [finding] };
  return { ok: true, value: { ...said, confidence: 1 } };
}

/** A revision that changed what will be done is a plan that nobody has approved yet. */
async function confirmed({ phase, ask, end }: Verbs<unknown>, before: Plan, after: Plan): Promise<Plan> {
  const scope = ({ phases, risk_review }: Plan) => canonical({ phases, risk_review });
  if (scope(before) === scope(after)) return after;
  phase("WAITING_APPROVAL");
  const title = "The plan was revised in review. Approve it?";
  const { choice } = await ask({ title, show: after, choices: ["approve", "abort"], auto: "approve" });
  return choice === "approve" ? after : end({ status: "error", reason: "the revised plan was refused" });
}

async function decided(
  { phase, ask, end }: Verbs<unknown>,
  why: string,
  best: { readonly plan: Plan; readonly decision: { readonly findings: unknown } },
): Promise<Plan> {
  phase("WAITING_APPROVAL");
  const show = { plan: best.plan, unresolved: best.decision.findings };
  const title = `Plan review ended without approval: ${why}. Proceed with the best version?`;
  const { choice } = await ask({ title, show, choices: ["proceed", "abort"], auto: "never" });
  return choice === "proceed" ? best.plan : end({ status: "error", reason: `plan review: ${why}` });
}
