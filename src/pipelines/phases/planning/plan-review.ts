import type { Decision } from "../../../core/authoring/decision.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { canonical } from "../../../core/text/json.ts";
import { recordIgnoredAnnouncements } from "../../ignored-announcements.ts";
import { getPlanPath } from "../artifacts.ts";
import { decideGate } from "../events.ts";
import { reviewOnce } from "../review/plan-reviewers.ts";
import {
  isWordingOnly,
  listReviewTriggers,
  mergeReviewers,
  type Reviewers,
  selectReviewers,
} from "../review/review-scope.ts";
import { type PhasesContext, withIteration } from "../run-context.ts";
import type { SettledChoice } from "./clarification.ts";
import type { Plan } from "./plan.ts";
import { formatPlanBrief } from "./plan-brief.ts";
import {
  computeAuditScore,
  describeStagnation,
  getGateConfidence,
  getReviewResults,
  getValidReplies,
  isRejected,
  listAbstained,
  listPlanIssues,
  PLAN_REVIEW_RULE,
  type ReviewReplies,
  selectBestVersion,
} from "./plan-review-rules.ts";
import { computeTier } from "./plan-rules.ts";
import {
  createVersion,
  getApprovedPlan,
  type PlanRequest,
  type PlanVersion,
  revisePlan,
  toApproval,
} from "./planning.ts";
import { EMPTY_HISTORY, updateHistory } from "./recurring-findings.ts";
import { type Research, recordPlanScope } from "./research.ts";

const MOST_ITERATIONS = 5;

/** Result of the review, for later approvals and the session outcome. */
export type PlanReviewSummary = {
  readonly results: Readonly<Record<string, string>>;
  readonly iterations: number;
  readonly max: number;
  readonly convergence: "Converged" | "Stagnation detected" | "Max iterations reached" | "Rejected" | "Not run";
  /** Reviewers that abstained. */
  readonly abstained: readonly string[];
};
export type ReviewedPlan = {
  readonly plan: Plan;
  readonly review: PlanReviewSummary;
  /** A person approved exactly this plan. */
  readonly approved?: true;
  readonly decisions: readonly SettledChoice[];
};

type PlanReviewSubject = { readonly request: string; readonly research: Research };

/**
 * Reviews an approved plan. Behaviour changes that a person approved with it are declared before the work starts.
 * @rule P-13 (policy) When the iterations are exhausted, the engine presents the best plan version and its unresolved
 *   issues to a person.
 */
export async function reviewPlan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  wish: PlanReviewSubject & { approved: PlanVersion },
): Promise<ReviewedPlan> {
  const final = await reviewUntilAccepted(verbs, context, wish);
  const { announces = [] } = final.plan;
  if (final.approved) await verbs.announce(announces.map((each) => ({ ...each, from: "`announces` of the plan" })));
  else await recordIgnoredAnnouncements(verbs, announces, "no person has approved the plan");
  return final;
}

/** Repeats for each time a person sends the plan back: it is planned, approved and reviewed again. */
async function reviewUntilAccepted(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { approved, ...subject }: PlanReviewSubject & { approved: PlanVersion },
): Promise<ReviewedPlan> {
  let version = approved;
  for (let turn = 1; ; turn += 1) {
    const review = () => runPlanReview(verbs, context, { ...subject, approved: version });
    const final = turn === 1 ? await review() : await verbs.within(`again-${turn}`, review, { repeats: true });
    if (!("sentBack" in final)) return { ...final, decisions: version.decisions ?? [] };
    const wish: PlanRequest = { ...subject, revises: final.sentBack, decisions: version.decisions };
    version = await verbs.within(`planned-${turn}`, () => getApprovedPlan(verbs, context, wish), { repeats: true });
  }
}

type SentBackVersion = { readonly sentBack: PlanVersion };
type FinalPlan = PlanChoice & { readonly review: PlanReviewSummary };

/** Runs the adversarial review of one approved plan. */
async function runPlanReview(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { approved, ...subject }: PlanReviewSubject & { approved: PlanVersion },
): Promise<FinalPlan | SentBackVersion> {
  const why = listReviewTriggers(approved.plan, context.policy);
  const reviewers = selectReviewers(approved.plan, context.policy);
  const nobody = !reviewers.auditor && !reviewers.assumption && !reviewers.executability;
  if (why.length === 0 || nobody) {
    verbs.skip("PLAN_REVIEW", why.length === 0 ? "no trigger is met" : "no reviewer is in scope for this tier");
    return { plan: approved.plan, review: createSkippedReview(context, approved.plan), ...copyApproval(approved) };
  }
  const result = await runIterations(verbs, context, { ...subject, approved, who: reviewers });
  const convergence = result.stuck?.how ?? "Converged";
  const review = {
    results: getReviewResults(result.seen),
    iterations: result.rounds,
    max: getMaxIterations(context, result.version.plan),
    convergence,
    abstained: listAbstained(result.seen),
  };
  const choice = result.stuck
    ? await askForBestVersion(verbs, context, { why: result.stuck.why, ...(selectBestVersion(result.all) ?? result) })
    : await confirmRevision(verbs, context, { before: approved, after: result.version, review });
  return "sentBack" in choice ? choice : { ...choice, review };
}

const copyApproval = ({ approved }: Pick<PlanVersion, "approved">) => (approved ? { approved } : {});

type PlanReplacement = {
  readonly request: string;
  readonly plan: Plan;
  readonly replaces: Plan;
  readonly findings?: readonly unknown[];
  readonly decisions: readonly SettledChoice[];
};

/** Takes a replan that affects other phases through gate, approval and review. */
export async function adoptPlan(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { request, plan, replaces, findings, decisions }: PlanReplacement,
): Promise<ReviewedPlan> {
  const subject = { request, research: await recordPlanScope(verbs, plan) };
  const wish = { ...subject, findings, decisions, given: plan, revises: createVersion(context.task, replaces) };
  const approved = await getApprovedPlan(verbs, context, wish);
  return reviewPlan(verbs, context, { ...subject, approved });
}

type ReviewInput = PlanReviewSubject & { readonly approved: PlanVersion; readonly who: Reviewers };
type StuckReason = { readonly why: string; readonly how: PlanReviewSummary["convergence"] };

/** Reviews and revises until no reviewer objects or another round is pointless. */
async function runIterations(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { approved, request, research, ...review }: ReviewInput,
) {
  let { who: reviewers } = review;
  let version = approved;
  let past = EMPTY_HISTORY;
  let stuck: StuckReason | undefined;
  let before: ReviewReplies | undefined;
  const scores: (number | undefined)[] = [];

  const result = await verbs.loop({ max: MOST_ITERATIONS, stop: () => stuck?.why }, async ({ round }) => {
    const at = (plan: Plan) => withIteration(context, round, getMaxIterations(context, plan));
    const old = version.plan;
    if (before) {
      const { decisions } = approved;
      const wish: PlanRequest = { request, research, findings: listPlanIssues(before), revises: version, decisions };
      version = await revisePlan(verbs, at(old), wish);
    }
    const { plan } = version;
    reviewers = mergeReviewers(reviewers, selectReviewers(plan, context.policy));
    verbs.phase("PLAN_REVIEW");
    const kept = before && isWordingOnly(old, plan) ? before : undefined;
    const replies = await reviewOnce(verbs, at(plan), {
      request,
      plan,
      who: reviewers,
      past,
      kept,
      decisions: approved.decisions ?? [],
    });
    scores.push(computeAuditScore(getValidReplies(replies).audit));
    stuck = findStuckReason(replies, { scores, context, plan });
    const decision = await decideReviewGate(verbs, at(plan), { plan, seen: replies, stuck });
    if (decision.passed) stuck = undefined;
    past = updateHistory(past, getValidReplies(replies), round);
    before = replies;
    return { version, seen: replies, decision };
  });
  return { ...result, stuck };
}

type ReviewState = {
  readonly scores: readonly (number | undefined)[];
  readonly context: PhasesContext;
  readonly plan: Plan;
};

/**
 * Returns why a person is asked instead of the planner.
 * @rule P-10 (policy) On REJECTED, the run waits for a person and presents the findings.
 */
function findStuckReason(replies: ReviewReplies, { scores, context, plan }: ReviewState): StuckReason | undefined {
  if (isRejected(replies)) return { why: "the auditor rejects the plan", how: "Rejected" };
  const standing = describeStagnation(scores, context.policy.stagnation_detection);
  if (standing) return { why: standing, how: "Stagnation detected" };
  const most = getMaxIterations(context, plan);
  if (replies.iteration < most) return undefined;
  return { why: `all ${most} iterations are used`, how: "Max iterations reached" };
}

type PlanReviewInput = { readonly plan: Plan; readonly seen: ReviewReplies; readonly stuck: StuckReason | undefined };

function decideReviewGate(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { plan, seen: replies, stuck }: PlanReviewInput,
): Promise<Decision> {
  const { AssumptionVerifier, ExecutabilityVerifier } = getReviewResults(replies);
  return decideGate(verbs, context, {
    type: "PLAN_REVIEW_GATE",
    rules: [PLAN_REVIEW_RULE],
    about: { seen: replies },
    confidence: getGateConfidence(replies, plan),
    miss: () => (stuck ? "BLOCKED" : "REPLAN"),
    asks: ({ passed }) => !passed && stuck !== undefined,
    next: {
      go: "the plan is executed",
      miss: stuck ? `a person decides: ${stuck.why}` : "the planner revises the plan",
    },
    extras: {
      assumption_verifier_status: toAssumptionStatus(AssumptionVerifier),
      executability_verifier_status: toExecutabilityStatus(ExecutabilityVerifier),
    },
  });
}

const toAssumptionStatus = (status: string) =>
  status === "COMPLETE" || status === "ABSTAIN" ? status : ("NOT_RUN" as const);
const toExecutabilityStatus = (status: string) =>
  status === "PASS" || status === "FAIL" || status === "WARN" || status === "ABSTAIN" ? status : ("NOT_RUN" as const);

/** @rule P-72 (policy) A forced review keeps the iteration limit of the plan's own tier. */
export const getMaxIterations = ({ policy }: PhasesContext, plan: Plan): number =>
  policy.max_iterations_by_tier[computeTier(plan)];

const createSkippedReview = (context: PhasesContext, plan: Plan): PlanReviewSummary => ({
  results: getReviewResults({ iteration: 0, past: EMPTY_HISTORY }),
  iterations: 0,
  max: getMaxIterations(context, plan),
  convergence: "Not run",
  abstained: [],
});

type PlanChoice = Pick<ReviewedPlan, "plan" | "approved">;
type PlanRevision = { readonly before: PlanVersion; readonly after: PlanVersion; readonly review: PlanReviewSummary };

/** A revision that changed phases, risks or announcements needs a new approval. */
async function confirmRevision(
  { phase, ask, end }: Verbs<unknown>,
  { task }: PhasesContext,
  { before, after, review }: PlanRevision,
): Promise<PlanChoice | SentBackVersion> {
  const serializeScope = ({ phases, risk_review, announces = [] }: Plan) =>
    canonical({ phases, risk_review, announces });
  const { plan } = after;
  if (serializeScope(before.plan) === serializeScope(plan)) return { plan, ...copyApproval(before) };
  phase("WAITING_APPROVAL");
  const answer = await ask({
    title: "The plan was revised in review. Approve it?",
    show: { plan, review },
    brief: formatPlanBrief(plan),
    announces: plan.announces ?? [],
    paths: [getPlanPath(task)],
    choices: ["approve", "revise", "abort"],
    leads: {
      approve: "the work starts with this plan",
      revise: "the planner revises it with your note",
      abort: "the run ends here",
    },
    auto: "approve",
    revises: "revise",
  });
  if (answer.choice === "abort") return end({ status: "error", reason: "the revised plan was refused" });
  return answer.choice === "revise" ? { sentBack: after } : { plan, ...toApproval(answer) };
}

type BestVersion = { readonly why: string; readonly version: PlanVersion; readonly seen: ReviewReplies };

async function askForBestVersion(
  { phase, ask, end }: Verbs<unknown>,
  { task }: PhasesContext,
  { why, version, seen: replies }: BestVersion,
): Promise<PlanChoice | SentBackVersion> {
  phase("WAITING_APPROVAL");
  const answer = await ask({
    title: `Plan review ended without approval: ${why}. Proceed with the best version?`,
    show: { plan: version.plan, unresolved: listPlanIssues(replies), reviewers: getReviewResults(replies) },
    brief: formatPlanBrief(version.plan, [
      {
        title: "Unresolved",
        lines: listPlanIssues(replies).map(({ severity, description }) => `${severity}: ${description}`),
      },
    ]),
    announces: version.plan.announces ?? [],
    paths: [getPlanPath(task)],
    choices: ["proceed", "revise", "abort"],
    leads: {
      proceed: "the work starts with the best version, without the review's approval",
      revise: "the planner revises it with your note",
      abort: "the run ends here",
    },
    auto: "never",
    revises: "revise",
  });
  if (answer.choice === "abort") return end({ status: "error", reason: `plan review: ${why}` });
  return answer.choice === "revise" ? { sentBack: version } : { plan: version.plan, ...toApproval(answer) };
}
