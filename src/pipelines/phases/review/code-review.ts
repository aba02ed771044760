import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { buildDelegation, type DelegationBrief } from "../acting/delegations.ts";
import { createRetry, type Fault, listDispatchFaults } from "../acting/failures.ts";
import { type FailureClass, isAbstaining } from "../acting/reply.ts";
import type { CodeVerdict } from "../contracts.ts";
import { codeReviewer } from "../roles.ts";
import type { PhasesContext } from "../run-context.ts";

type CodeReviewInput = {
  /** Name of the work in the question to a person. */
  readonly name: string;
  readonly tree: Tree;
  readonly brief: DelegationBrief;
  readonly spent: readonly FailureClass[];
  readonly task?: string;
};
export type ReviewVerdict = Pick<CodeVerdict, "confidence" | "issues" | "validated_blocking_issues"> & {
  readonly status: CodeVerdict["status"] | "NOT_REVIEWED";
  /** The person who accepted the work without a review. */
  readonly accepted_by?: string;
};
export type ReviewResult = { readonly verdict: ReviewVerdict | undefined; readonly faults: readonly Fault[] };

/** Dispatches a review. An answer that judges nothing, or leaves a serious issue open, is requested once more. */
export async function reviewWork(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  subject: CodeReviewInput,
): Promise<ReviewResult> {
  const { payload, problems } = buildDelegation(context, "CodeReviewer", subject.brief);
  const faults: Fault[] = problems.map((reason) => ({ class: "escalate", at: "code review", reason }));
  let open: readonly Issue[] = [];
  for (const name of problems.length === 0 ? ["review", "second-review"] : []) {
    const input = open.length > 0 ? { ...payload, left_open: open } : payload;
    const spent = [...subject.spent, ...faults.map((fault) => fault.class)];
    const retry = createRetry(spent, context.policy);
    const options = { in: subject.tree, retry, ...(subject.task === undefined ? {} : { task: subject.task }) };
    const answer = await verbs.within(name, () => verbs.attempt(codeReviewer, input, options));
    faults.push(...filterTransient(listDispatchFaults(answer)));
    if (!answer.ok) continue;
    const wasReturned = open.length > 0;
    open = listOpenIssues(answer.value);
    if (isReview(answer.value) && (wasReturned || open.length === 0))
      return { verdict: toReviewVerdict(answer.value), faults };
  }
  const title = `${subject.name} could not be reviewed. Accept it unreviewed?`;
  verbs.phase("WAITING_APPROVAL");
  const { choice, by } = await verbs.ask({
    title,
    show: open.length > 0 ? { ...payload, left_open: open } : payload,
    choices: ["accept", "refuse"],
    auto: "never",
    leads: UNREVIEWED_LEADS,
  });
  return { verdict: choice === "accept" ? createUnreviewedVerdict(by) : undefined, faults };
}

/**
 * True if an answer counts as a review. NEEDS_REVISION without a confirmed issue is advice; a CRITICAL issue that was
 * neither confirmed nor rejected is never advice, whatever the verdict.
 * @rule P-61 (policy) A review that judges nothing, or leaves a serious issue open, is requested once more, then a
 *   person decides; a MAJOR issue that stays unvalidated becomes advice.
 */
export const isReview = (verdict: Pick<CodeVerdict, "status" | "abstain" | IssueLists>): boolean =>
  !isAbstaining(verdict) &&
  (verdict.status !== "FAILED" || listBlockingIssues(verdict).length > 0) &&
  !hasOpenCritical(verdict);

export const hasOpenCritical = (verdict: Pick<CodeVerdict, IssueLists>): boolean =>
  listOpenIssues(verdict).some(({ severity }) => severity === "CRITICAL");

type Issue = CodeVerdict["issues"][number];
type IssueLists = "issues" | "validated_blocking_issues";

/** Confirmed serious issues block, in whichever list the reviewer put them. */
export function listBlockingIssues({ issues, validated_blocking_issues: copied }: Pick<CodeVerdict, IssueLists>) {
  const left = issues
    .filter(({ severity, validation_status: validation }) => severity !== "MINOR" && validation === "confirmed")
    .filter(({ description }) => !copied.some((issue) => issue.description === description))
    // The filter above leaves only these two.
    .map((issue) => ({ ...issue, severity: issue.severity as "CRITICAL" | "MAJOR", file: issue.file ?? "" }));
  return [...copied, ...left];
}

/**
 * Lists CRITICAL and MAJOR issues that the reviewer neither confirmed nor rejected. Empty if an issue is confirmed: the
 * work then goes back anyway, and the next review gets all issues.
 */
function listOpenIssues(verdict: Pick<CodeVerdict, IssueLists>): readonly Issue[] {
  if (listBlockingIssues(verdict).length > 0) return [];
  return verdict.issues.filter(
    ({ severity, validation_status: status }) => severity !== "MINOR" && (status ?? "unvalidated") === "unvalidated",
  );
}

const UNREVIEWED_LEADS = {
  accept: "the run continues and records that you accepted it unreviewed",
  refuse: "the work stays unreviewed and does not pass",
};

const createUnreviewedVerdict = (by: string): ReviewVerdict => ({
  status: "NOT_REVIEWED",
  accepted_by: by,
  confidence: 1,
  issues: [],
  validated_blocking_issues: [],
});

/** Formats a verdict for people. */
export const formatVerdictWord = ({
  status,
  accepted_by: by,
}: Pick<ReviewVerdict, "status" | "accepted_by">): string =>
  by === undefined ? status : `not reviewed, accepted by ${by}`;

const toReviewVerdict = (verdict: CodeVerdict): ReviewVerdict => {
  const { status, confidence, issues } = verdict;
  return { status, confidence, issues, validated_blocking_issues: listBlockingIssues(verdict) };
};

/** Counts only transient failures against the phase: an unavailable reviewer says nothing about the work. */
const filterTransient = (faults: readonly Fault[]): readonly Fault[] =>
  faults.filter((fault) => fault.class !== "escalate");
