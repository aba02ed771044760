import type { Decision } from "../../../core/authoring/decision.ts";
import type { Finding } from "../../../core/authoring/finding.ts";
import type { Evidence, Verbs } from "../../../core/authoring/verbs.ts";
import { formatEvidence } from "../../evidence-line.ts";
import { acceptAppendOnly, DOCUMENTS, withVerdict } from "../artifacts.ts";
import type { DispatchResult, DocumentOrder, FeatureContext } from "../context.ts";
import type { Status } from "../contracts.ts";
import { joinReports } from "../join.ts";
import { runFullyParallel } from "../patterns.ts";
import type { Task } from "../planning/task-files.ts";
import { selectTier, type Tier } from "../planning/tier.ts";
import { type ClusterRole, REVIEWERS, rAggregator, rKnowledge } from "../roles.ts";
import { type Aggregate, applyReviewTable, chooseMove, FIX_CHANGED, FIXED, R, selectFixable } from "../rules.ts";
import { isCritical } from "./findings.ts";
import { dispatchTask, LEFT_NOTHING } from "./implementation.ts";
import { assignFindings, owns } from "./owners.ts";
import { planAndFix, runVerification, type VerificationResult } from "./verification.ts";

/** One review, one after the fix pass and one after the replan. */
export const MOST_ROUNDS = 3;

type SpentMoves = { readonly fixed: boolean; readonly replanned: boolean };
export type ReviewResult = {
  readonly decision: Decision;
  readonly verified: VerificationResult;
  readonly spent: SpentMoves;
};

/** Findings of a person who sent the work back; they are routed like a reviewer's. */
type ReturnedReview = { readonly findings: readonly Finding[]; readonly spent: SpentMoves };

export const isRevisable = ({ spent }: ReviewResult): boolean =>
  chooseMove({ status: "NEEDS_REVISION", ...spent }) !== "halt";

/**
 * Runs step 7. NEEDS_REVISION goes to the implementers once; what remains, and any ERROR, leads to the run's one
 * replan, which restarts at step 5.
 */
export async function runReview(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  start: VerificationResult,
  sentBack?: ReturnedReview,
): Promise<ReviewResult> {
  let verified = start;
  let evidence = start.evidence;
  let status: Status = sentBack ? "NEEDS_REVISION" : "DONE";
  const log = openLog(verbs, context);
  const spent = { fixed: false, replanned: false, ...sentBack?.spent };
  const stop = () => (chooseMove({ status, ...spent }) === "halt" ? "the one replan is used up" : undefined);

  const result = await verbs.loop({ max: MOST_ROUNDS, stop }, async ({ round, findings: found }) => {
    const back = round === 1 ? sentBack?.findings : found;
    const [move, findings] = back ? [chooseMove({ status, ...spent }), back] : (["review", found] as const);
    if (move === "fix") {
      spent.fixed = true;
      const fixed = await fixPass(verbs, context, { tasks: verified.work.tasks, findings: selectFixable(findings) });
      // Skips the review if the fix pass broke a check or changed nothing.
      if (!fixed.decision.passed) return { decision: fixed.decision };
      evidence = fixed.evidence;
    }
    if (move === "replan") {
      spent.replanned = true;
      verified = await startOver(verbs, context, { verified, findings: selectFixable(findings) });
      evidence = verified.evidence;
    }
    const reviewed = await reviewOnce(verbs, context, { log, evidence, open: getOpenFindings(verified) });
    status = reviewed.status;
    if (!reviewed.decision.passed) {
      context.trouble(`the review did not pass: ${reviewed.decision.findings[0]?.message ?? status}`);
      await context.doubt(["7"], "the review did not pass");
    }
    return { decision: reviewed.decision };
  });
  return { decision: result.decision, verified, spent };
}

/**
 * @rule C-42 (code) Memory entries are marked invalid when their step fails, and verification entries at the start of
 *   the next verification round.
 */
async function startOver(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  { verified, findings }: { verified: VerificationResult; findings: readonly Finding[] },
): Promise<VerificationResult> {
  await context.doubt(["6"], "verification starts again");
  const { tasks } = verified.work;
  const failing = tasks.filter((task) => findings.some((finding) => owns(task, finding))).map(({ id }) => id);
  const open = { work: verified.work, report: DOCUMENTS.reviews, failing, findings };
  return runVerification(verbs, context, await planAndFix(verbs, context, open));
}

/** Dispatches each affected task with its own findings, then runs the engine's checks. */
async function fixPass(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  pass: { tasks: readonly Task[]; findings: readonly Finding[] },
): Promise<{ decision: Decision; evidence: Evidence }> {
  const { within, check, gate } = verbs;
  await context.begin("5 Implementation");
  const before = context.tree;
  for (const { task, findings } of assignFindings(pass.tasks, pass.findings)) {
    const answer = await within(`fix-${task.id}`, () => dispatchTask(verbs, context, { task, findings }));
    const why = answer.ok ? (answer.value.changed.length === 0 ? LEFT_NOTHING : "") : answer.failure.message;
    if (why) await context.warn(`${task.id} could not be fixed: ${why}`);
    if (!answer.ok) continue;
    if (answer.value.outside.length > 0) await context.violated(`${task.agent} ${task.id}`, answer.value.outside);
    context.adopt(answer.value.after);
    context.delivered.set(task.id, [...new Set([...(context.delivered.get(task.id) ?? []), ...answer.value.changed])]);
  }
  await context.settle();
  const evidence = await check(context.tree, { baseline: before, task: "fix pass" });
  const about = { evidence, tree: context.tree.tree, before: before.tree, objections: pass.findings };
  return { decision: await gate("fix pass", [FIXED, FIX_CHANGED], about), evidence };
}

/** Findings that verification left open, shown to the reviewers. */
type OpenFindings = { readonly open?: readonly Finding[] };
const getOpenFindings = ({ decision }: VerificationResult): OpenFindings =>
  decision.passed ? {} : { open: selectFixable(decision.findings) };

type ReviewOutcome = { readonly status: Status; readonly decision: Decision };

/** @rule C-44 (code) Every r- agent gets the review tier, and `review.md` prints it. */
async function reviewOnce(
  verbs: Verbs<unknown>,
  context: FeatureContext,
  { log, evidence, open }: { log: DecisionLog; evidence: Evidence; open: OpenFindings },
): Promise<ReviewOutcome> {
  const { see, gate, write, within } = verbs;
  await context.begin("7 Final review");
  const { tree, base } = context;
  const changes = await see("changes", { from: base, to: tree });
  const tier = selectTier(changes.map(({ path }) => path).filter((path) => !path.startsWith(context.at(""))));
  const diff = await see("diff", { from: base, to: tree, only: ["**", `!${context.at("**")}`] });
  await context.tell({ tier });
  const given = { tier, diff, evidence: formatEvidence(evidence), ...open };
  const { there, error, ...cluster } = await runFullyParallel(context, [
    ...REVIEWERS.map((role) => createReviewerOrder(role, given)),
    ...(context.depth === "short" ? [] : [createKnowledgeOrder(tier, context.troubles())]),
  ]);
  const members = await within("confirm", () => confirmCritical(context, cluster.members, given));
  if (there.includes(rKnowledge.name)) await log.keep();
  const facts = [`Tier: ${tier}`, `Evidence: ${formatEvidence(evidence)}`];
  const table = error ? createFailedAggregate(error) : applyReviewTable(members);
  const { aggregate, findings } = error
    ? await writeUnjoinedReview(write, context, { members, table, facts })
    : await joinReports(write, context, {
        order: createAggregatorOrder(there, { tier, ...open }),
        members,
        table,
        facts,
      });
  await context.tell({ review: aggregate.status });
  return { status: aggregate.status, decision: await gate("R", [R], { aggregate, findings, tier }) };
}

/**
 * Asks r-security to confirm a critical finding, because it stops the run. The second answer counts, if there is one.
 */
async function confirmCritical(
  context: FeatureContext,
  members: readonly DispatchResult[],
  given: ReviewInput,
): Promise<readonly DispatchResult[]> {
  const role = REVIEWERS.find(({ name }) => name === "r-security");
  const first = members.find(({ name }) => name === role?.name);
  const confirm = first?.findings.filter(isCritical) ?? [];
  if (!role || confirm.length === 0) return members;
  const [second] = await context.together([createReviewerOrder(role, { ...given, confirm })]);
  return members.map((member) => (member === first && second?.after ? second : member));
}

const createFailedAggregate = (error: string): Aggregate => ({
  status: "ERROR",
  why: `the review did not pass: ${error}`,
});

/**
 * Writes `review.md` without an aggregator when too few reviewers delivered, so that the planner finds the reports
 * there.
 */
async function writeUnjoinedReview(
  write: Verbs<unknown>["write"],
  context: FeatureContext,
  {
    members,
    table: aggregate,
    facts,
  }: { members: readonly DispatchResult[]; table: Aggregate; facts: readonly string[] },
) {
  const findings = members.flatMap((member) => member.findings);
  const text = withVerdict("# Review\n", { aggregate, said: "missing", members, findings, facts });
  await write(context.at(DOCUMENTS.reviews), text);
  return { aggregate, findings };
}

type ReviewInput = OpenFindings & {
  readonly tier: Tier;
  readonly diff: string;
  readonly evidence: string;
  readonly confirm?: readonly Finding[];
};

const createReviewerOrder = (role: ClusterRole, given: ReviewInput): DocumentOrder => ({
  role,
  step: "7",
  reads: [DOCUMENTS.feature],
  outputs: [DOCUMENTS.review(role.name)],
  more: given,
});

const createKnowledgeOrder = (tier: Tier, troubles: readonly string[]): DocumentOrder => ({
  role: rKnowledge,
  step: "7",
  reads: [],
  outputs: [DOCUMENTS.review(rKnowledge.name), DOCUMENTS.suggestions, DOCUMENTS.decisions],
  more: { tier, ...(troubles.length > 0 && { went_wrong: troubles }) },
});

const createAggregatorOrder = (there: readonly string[], given: { tier: Tier } & OpenFindings): DocumentOrder => ({
  role: rAggregator,
  step: "7",
  reads: [...there.map(DOCUMENTS.review), ...(there.includes(rKnowledge.name) ? [DOCUMENTS.suggestions] : [])],
  outputs: [DOCUMENTS.reviews],
  more: given,
});

type DecisionLog = { keep(): Promise<void> };

/** Opens the decision log. A version that lost or changed an earlier line is replaced by the last valid one. */
function openLog({ see, write }: Verbs<unknown>, context: FeatureContext): DecisionLog {
  const path = context.at(DOCUMENTS.decisions);
  let decided: string | undefined;
  return {
    async keep() {
      const before = decided ?? (await see("file", { path, in: context.base }))?.text ?? "";
      const after = (await see("file", { path, in: context.tree }))?.text ?? "";
      const kept = acceptAppendOnly(before, after);
      if (kept === undefined) await context.warn("r-knowledge changed earlier decisions; its version was refused");
      decided = kept ?? before;
      await write(path, decided);
    },
  };
}
