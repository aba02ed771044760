import type { Decision } from "../../core/decision.ts";
import { canonical } from "../../core/json.ts";
import type { Verbs } from "../../core/verbs.ts";
import { noteIgnored } from "../ignored-announcements.ts";
import {
  abstained,
  bestOf,
  confidenceIn,
  heardIn,
  isRejected,
  issuesOf,
  PLAN_REVIEW,
  resultsOf,
  type Seen,
  scoreOf,
  stagnated,
} from "./audit.ts";
import { type Context, inIteration } from "./context.ts";
import { decide } from "./events.ts";
import { NO_PAST, remember } from "./lineage.ts";
import type { Plan } from "./plan.ts";
import { tierOf } from "./plan-rules.ts";
import { approvedBy, approvedPlan, revisedPlan, type Version, versionOf, type Wish } from "./planning.ts";
import { type Research, scopeOf } from "./research.ts";
import { isWordingOnly, type Reviewers, reviewersFor, reviewTriggers, withReviewers } from "./review-scope.ts";
import { reviewOnce } from "./reviewers.ts";

const MOST_ITERATIONS = 5;

/** What the review was, for later approvals and for the session's outcome. */
export type PlanReviewed = {
  readonly results: Readonly<Record<string, string>>;
  readonly iterations: number;
  readonly max: number;
  readonly convergence: "Converged" | "Stagnation detected" | "Max iterations reached" | "Rejected" | "Not run";
  /** Who was asked and had no opinion. */
  readonly abstained: readonly string[];
};
export type Reviewed = { readonly plan: Plan; readonly review: PlanReviewed };

type Subject = { readonly request: string; readonly research: Research };

type Final = Reviewed & { readonly approved?: true };

/** The way from an approved plan to its execution; what a person has approved with it is announced before the work. */
export async function planReview(
  verbs: Verbs<unknown>,
  context: Context,
  wish: Subject & { approved: Version },
): Promise<Reviewed> {
  const { approved, ...final } = await reviewed(verbs, context, wish);
  const { announces = [] } = final.plan;
  if (approved) await verbs.announce(announces);
  else await noteIgnored(verbs, announces, "no person has approved the plan");
  return final;
}

/** The adversarial gate; most of what it does is send plans back. */
async function reviewed(
  verbs: Verbs<unknown>,
  context: Context,
  { approved, ...subject }: Subject & { approved: Version },
): Promise<Final> {
  const why = reviewTriggers(approved.plan, context.policy);
  const who = reviewersFor(approved.plan, context.policy);
  const nobody = !who.auditor && !who.assumption && !who.executability;
  if (why.length === 0 || nobody) {
    verbs.skip("PLAN_REVIEW", why.length === 0 ? "no trigger is met" : "no reviewer is in scope for this tier");
    return { plan: approved.plan, review: notRun(context, approved.plan), ...byPerson(approved) };
  }
  const result = await iterations(verbs, context, { ...subject, approved, who });
  const convergence = result.stuck?.how ?? "Converged";
  const review = {
    results: resultsOf(result.seen),
    iterations: result.rounds,
    max: maxFor(context, result.version.plan),
    convergence,
    abstained: abstained(result.seen),
  };
  if (!result.stuck)
    return { ...(await confirmed(verbs, { before: approved, after: result.version.plan, review })), review };
  return { ...(await decided(verbs, result.stuck.why, bestOf(result.all) ?? result)), review };
}

const byPerson = ({ approved }: Pick<Version, "approved">) => (approved ? { approved } : {});

type Adopted = { readonly plan: Plan; readonly replaces: Plan; readonly findings?: readonly unknown[] };

/** The whole way of a new plan for one that reaches beyond its phase: gate, approval, review. */
export async function adopt(
  verbs: Verbs<unknown>,
  context: Context,
  { plan, replaces, findings }: Adopted,
): Promise<Reviewed> {
  const subject = { request: plan.task_title, research: await scopeOf(verbs, plan) };
  const wish = { ...subject, findings, given: plan, revises: versionOf(context.task, replaces) };
  const approved = await approvedPlan(verbs, context, wish);
  return planReview(verbs, context, { ...subject, approved });
}

type Review = Subject & { readonly approved: Version; readonly who: Reviewers };
type Stuck = { readonly why: string; readonly how: PlanReviewed["convergence"] };

/** Rounds of review and revision, until nobody objects or there is no use in another. */
async function iterations(verbs: Verbs<unknown>, context: Context, { approved, request, research, ...review }: Review) {
  let { who } = review;
  let version = approved;
  let past = NO_PAST;
  let stuck: Stuck | undefined;
  let before: Seen | undefined;
  const scores: (number | undefined)[] = [];

  const result = await verbs.loop({ max: MOST_ITERATIONS, stop: () => stuck?.why }, async ({ round }) => {
    const at = (plan: Plan) => inIteration(context, round, maxFor(context, plan));
    const old = version.plan;
    if (before) {
      const wish: Wish = { request, research, findings: issuesOf(before), revises: version };
      version = await revisedPlan(verbs, at(old), wish);
    }
    const { plan } = version;
    who = withReviewers(who, reviewersFor(plan, context.policy));
    verbs.phase("PLAN_REVIEW");
    const kept = before && isWordingOnly(old, plan) ? before : undefined;
    const seen = await reviewOnce(verbs, at(plan), { plan, who, past, kept });
    scores.push(scoreOf(heardIn(seen).audit));
    stuck = stuckBy(seen, { scores, context, plan });
    const decision = await reviewGate(verbs, at(plan), { plan, seen, stuck });
    if (decision.passed) stuck = undefined;
    past = remember(past, heardIn(seen), round);
    before = seen;
    return { version, seen, decision };
  });
  return { ...result, stuck };
}

type State = { readonly scores: readonly (number | undefined)[]; readonly context: Context; readonly plan: Plan };

/** Why a person is asked instead of the planner. */
function stuckBy(seen: Seen, { scores, context, plan }: State): Stuck | undefined {
  if (isRejected(seen)) return { why: "the auditor rejects the plan", how: "Rejected" };
  const standing = stagnated(scores, context.policy.stagnation_detection);
  if (standing) return { why: standing, how: "Stagnation detected" };
  const most = maxFor(context, plan);
  if (seen.iteration < most) return undefined;
  return { why: `all ${most} iterations are used`, how: "Max iterations reached" };
}

type Judged = { readonly plan: Plan; readonly seen: Seen; readonly stuck: Stuck | undefined };

function reviewGate(verbs: Verbs<unknown>, context: Context, { plan, seen, stuck }: Judged): Promise<Decision> {
  const { AssumptionVerifier, ExecutabilityVerifier } = resultsOf(seen);
  return decide(verbs, context, {
    type: "PLAN_REVIEW_GATE",
    rules: [PLAN_REVIEW],
    about: { seen },
    confidence: confidenceIn(seen, plan),
    miss: () => (stuck ? "BLOCKED" : "REPLAN"),
    asks: ({ passed }) => !passed && stuck !== undefined,
    next: {
      go: "the plan is carried out",
      miss: stuck ? `a person decides: ${stuck.why}` : "the planner revises the plan",
    },
    extras: {
      assumption_verifier_status: asAssumption(AssumptionVerifier),
      executability_verifier_status: asExecutability(ExecutabilityVerifier),
    },
  });
}

const asAssumption = (status: string) =>
  status === "COMPLETE" || status === "ABSTAIN" ? status : ("NOT_RUN" as const);
const asExecutability = (status: string) =>
  status === "PASS" || status === "FAIL" || status === "WARN" || status === "ABSTAIN" ? status : ("NOT_RUN" as const);

export const maxFor = ({ policy }: Context, plan: Plan): number => policy.max_iterations_by_tier[tierOf(plan)];

const notRun = (context: Context, plan: Plan): PlanReviewed => ({
  results: resultsOf({ iteration: 0, past: NO_PAST }),
  iterations: 0,
  max: maxFor(context, plan),
  convergence: "Not run",
  abstained: [],
});

type Chosen = Pick<Final, "plan" | "approved">;
type Revision = { readonly before: Version; readonly after: Plan; readonly review: PlanReviewed };

/** A revision that changed what will be done is a plan that nobody has approved yet. */
async function confirmed({ phase, ask, end }: Verbs<unknown>, { before, after, review }: Revision): Promise<Chosen> {
  const scope = ({ phases, risk_review, announces = [] }: Plan) => canonical({ phases, risk_review, announces });
  if (scope(before.plan) === scope(after)) return { plan: after, ...byPerson(before) };
  phase("WAITING_APPROVAL");
  const title = "The plan was revised in review. Approve it?";
  const show = { plan: after, review };
  const answer = await ask({ title, show, choices: ["approve", "abort"], auto: "approve" });
  if (answer.choice === "abort") return end({ status: "error", reason: "the revised plan was refused" });
  return { plan: after, ...approvedBy(answer) };
}

type Best = { readonly version: Version; readonly seen: Seen };

async function decided({ phase, ask, end }: Verbs<unknown>, why: string, { version, seen }: Best): Promise<Chosen> {
  phase("WAITING_APPROVAL");
  const show = { plan: version.plan, unresolved: issuesOf(seen), reviewers: resultsOf(seen) };
  const title = `Plan review ended without approval: ${why}. Proceed with the best version?`;
  const answer = await ask({ title, show, choices: ["proceed", "abort"], auto: "never" });
  if (answer.choice === "abort") return end({ status: "error", reason: `plan review: ${why}` });
  return { plan: version.plan, ...approvedBy(answer) };
}
