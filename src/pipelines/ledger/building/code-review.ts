import type { Finding } from "../../../core/authoring/finding.ts";
import { formatEvidence } from "../../evidence-line.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import type { LedgerContext } from "../context.ts";
import { mergeDuplicates } from "../handover/duplicates.ts";
import { formatClaim } from "../handover/rework.ts";
import { type ReviewRound, runReviewers } from "../planning/design-review.ts";
import type { Task } from "../planning/plan.ts";
import type { Setup } from "../planning/setup.ts";
import { listObjections } from "../rules.ts";
import { checkIntegrated, type VerificationResult } from "./task-rounds.ts";
import { runWave, type TaskPurpose } from "./wave.ts";

/**
 * @rule L-19 (policy) Code review runs at most twice, with a verified fix in between. Findings that remain are known
 *   issues, and the confidence is Low.
 */
const ROUNDS = 2;

type CodeReviewInput = TaskPurpose & VerificationResult;

/**
 * Runs step 7: review, then fix, verify and review again. Open findings become known issues.
 * @rule L-51 (policy) A code-review fix that fails its verification gets no review and spends its round.
 */
export async function runCodeReview(
  context: LedgerContext,
  setup: Setup,
  known: CodeReviewInput,
  sentBack?: ReturnedWork,
) {
  const { begin, loop, skip, leave, round: atRound } = context;
  if (known.tasks.length === 0) {
    skip("7 Code review", "nothing was accepted: there is no change to review");
    return { ...known, decisions: [known.decision], reviews: [], open: [], exhausted: true, rounds: ROUNDS };
  }
  let state: VerificationResult = known;
  let last: ReviewRound | undefined;
  let done: unknown;
  const before = sentBack?.rounds ?? 0;
  const result = await loop({ max: ROUNDS - before }, async ({ round }) => {
    atRound("review", before + round);
    if (round > 1 || sentBack) {
      const fixed = await runFix(context, setup, { asked: known, state, round, ...selectFixes(last, sentBack) });
      // A fix that breaks a check uses up its round without a review.
      if (!fixed.decision.passed) return { decision: fixed.decision };
      done = fixed.tasks.slice(state.tasks.length).map(({ report }) => formatClaim(report));
      state = fixed;
    }
    await begin("7 Code review");
    const reviews = last?.reviews ?? sentBack?.reviews;
    const earlier = reviews && { reviews, done };
    const { tree, whole } = state;
    const subject = await createReviewSubject(context, setup, { asked: known, state });
    const again = sentBack ? { name: "code-review-sent-back" } : {};
    const about = { scope: "code", round, tree: tree.tree, subject, evidence: whole, ...again } as const;
    last = await runReviewers(context, setup, { ...about, ...(earlier && { earlier }) });
    return { decision: last.decision };
  });
  const { decision, ended } = result;
  const exhausted = ended !== "passed";
  const [reviews, open] = [last?.reviews ?? [], exhausted ? (last?.defects ?? []) : []];
  if (exhausted) leave({ tree: state.tree, accepted: false, why: "the code review was not passed" });
  return {
    ...state,
    decisions: [state.decision, decision],
    reviews,
    open,
    exhausted,
    rounds: before + result.rounds,
  };
}

/** A person's findings at the commit; they use the remaining review round. */
type ReturnedWork = Pick<ReviewRound, "reviews"> & { readonly findings: readonly Finding[]; readonly rounds: number };

type FixSelection = { readonly defects: readonly Finding[]; readonly advice?: readonly Finding[] };

/** Selects what to fix: the last review's findings, or a person's, with outvoted review findings as advice. */
function selectFixes(last: Pick<ReviewRound, "defects"> | undefined, sentBack: ReturnedWork | undefined): FixSelection {
  if (last) return { defects: last.defects };
  const { findings = [], reviews = [] } = sentBack ?? {};
  return { defects: findings, ...pickNonEmpty({ advice: mergeDuplicates(reviews.flatMap(listObjections)) }) };
}

export const isRevisable = ({ rounds }: { readonly rounds: number }): boolean => rounds < ROUNDS;

type ReviewState = { readonly asked: TaskPurpose; readonly state: VerificationResult };

/**
 * Builds the input of a code review: the change, the engine's evidence and the implementers' claims. The claims of a
 * fix are shown with the findings it had to resolve.
 */
async function createReviewSubject(
  { see }: LedgerContext,
  { baseline }: Setup,
  { asked, state }: ReviewState & { asked: CodeReviewInput },
) {
  const { request, spec, tasks } = asked;
  const { tree, whole } = state;
  const diff = await see("diff", { from: baseline, to: tree });
  const findings = [...whole.regressions, ...whole.tamper, ...whole.findings];
  const evidence = { checks: formatEvidence(whole), ...(findings.length > 0 && { findings }) };
  return { request, spec, diff, evidence, reports: tasks.map(({ report }) => formatClaim(report)) };
}

type FixRound = ReviewState & FixSelection & { readonly round: number };

async function runFix(
  context: LedgerContext,
  setup: Setup,
  { asked, state, defects, advice, round }: FixRound,
): Promise<VerificationResult> {
  const { baseline, slug } = setup;
  const changed = await context.see("changes", { from: baseline, to: state.tree });
  const files = [...changed.map(({ path }) => path), ...defects.flatMap((finding) => finding.files ?? [])];
  const { owner, criteria } = findOwningTasks(state.tasks, defects);
  const task = createFixTask(`${slug}-review-fix`, files, criteria);
  const mended = owner && { mends: owner.task.id, earlier: { report: owner.report, accepted: true as const } };
  const tasks = [{ task, findings: defects, ...(advice && { advice }), ...mended }];
  const [judged] = await runWave(context, { ...setup, asked, tree: state.tree, round, tasks });
  if (!judged?.decision.passed) return { ...state, decision: judged?.decision ?? state.decision };
  const whole = await checkIntegrated(context, setup, { tree: judged.after, findings: [] });
  return { ...whole, tasks: [...state.tasks, judged] };
}

/** Selects the tasks that own the findings' files, with their criteria; all tasks if no file matches. */
function findOwningTasks(tasks: VerificationResult["tasks"], defects: readonly Finding[]) {
  const named = new Set(defects.flatMap((finding) => finding.files ?? []));
  const owners = tasks.filter(({ report }) => report.changed?.some((path) => named.has(path)));
  const mended = owners.length > 0 ? owners : tasks;
  const criteria = [...new Set(mended.flatMap(({ task }) => task.acceptance_criteria))];
  return { owner: owners[0] ?? tasks.at(-1), criteria };
}

function createFixTask(id: string, files: readonly string[], criteria: readonly string[]): Task {
  return {
    id,
    title: "Settle what the code review found",
    size: "Standard",
    risk: "🟡",
    depends_on: [],
    acceptance_criteria: [...criteria],
    files: [...new Set(files)],
    checks: [],
  };
}
