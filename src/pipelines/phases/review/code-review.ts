import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { type Brief, delegation } from "../acting/delegations.ts";
import { type Fault, faultsOf, retryFor } from "../acting/failures.ts";
import { type FailureClass, isAbstaining } from "../acting/reply.ts";
import type { Verdict } from "../contracts.ts";
import type { Context } from "../iteration.ts";
import { codeReviewer } from "../roles.ts";

type Subject = {
  /** What a person reads when nobody could review it. */
  readonly name: string;
  readonly tree: Tree;
  readonly brief: Brief;
  readonly spent: readonly FailureClass[];
  readonly task?: string;
};
export type ReviewVerdict = Pick<Verdict, "confidence" | "issues" | "validated_blocking_issues"> & {
  readonly status: Verdict["status"] | "NOT_REVIEWED";
  /** Who let it go on although nobody had reviewed it. */
  readonly accepted_by?: string;
};
export type ReviewResult = { readonly verdict: ReviewVerdict | undefined; readonly faults: readonly Fault[] };

/** Dispatches a review. An answer that judges nothing, or leaves a serious issue open, is asked once more. */
export async function review(verbs: Verbs<unknown>, context: Context, subject: Subject): Promise<ReviewResult> {
  const { payload, problems } = delegation(context, "CodeReviewer", subject.brief);
  const faults: Fault[] = problems.map((reason) => ({ class: "escalate", at: "code review", reason }));
  let open: readonly Issue[] = [];
  for (const name of problems.length === 0 ? ["review", "second-review"] : []) {
    const input = open.length > 0 ? { ...payload, left_open: open } : payload;
    const spent = [...subject.spent, ...faults.map((fault) => fault.class)];
    const retry = retryFor(spent, context.policy);
    const options = { in: subject.tree, retry, ...(subject.task === undefined ? {} : { task: subject.task }) };
    const answer = await verbs.within(name, () => verbs.attempt(codeReviewer, input, options));
    faults.push(...passing(faultsOf(answer)));
    if (!answer.ok) continue;
    const wasReturned = open.length > 0;
    open = listOpenIssues(answer.value);
    if (isReview(answer.value) && (wasReturned || open.length === 0)) return { verdict: heard(answer.value), faults };
  }
  const title = `${subject.name} could not be reviewed. Accept it unreviewed?`;
  verbs.phase("WAITING_APPROVAL");
  const { choice, by } = await verbs.ask({
    title,
    show: open.length > 0 ? { ...payload, left_open: open } : payload,
    choices: ["accept", "refuse"],
    auto: "never",
    leads: UNHEARD,
  });
  return { verdict: choice === "accept" ? unreviewed(by) : undefined, faults };
}

/**
 * Says whether an answer can count as a review. NEEDS_REVISION that confirms nothing is advice; a CRITICAL issue that
 * was neither confirmed nor rejected is never advice, whatever the verdict beside it.
 * @rule P-61 (policy) A review that judges nothing, or leaves a serious issue open, is asked for once more, and then a
 *   person decides; a MAJOR issue that the reviewer still cannot validate becomes advice.
 */
export const isReview = (verdict: Pick<Verdict, "status" | "abstain" | IssueLists>): boolean =>
  !isAbstaining(verdict) &&
  (verdict.status !== "FAILED" || blockingIn(verdict).length > 0) &&
  !hasOpenCritical(verdict);

export const hasOpenCritical = (verdict: Pick<Verdict, IssueLists>): boolean =>
  listOpenIssues(verdict).some(({ severity }) => severity === "CRITICAL");

type Issue = Verdict["issues"][number];
type IssueLists = "issues" | "validated_blocking_issues";

/** Confirmed and serious blocks, in whatever list the reviewer has left it. */
export function blockingIn({ issues, validated_blocking_issues: copied }: Pick<Verdict, IssueLists>) {
  const left = issues
    .filter(({ severity, validation_status: seen }) => severity !== "MINOR" && seen === "confirmed")
    .filter(({ description }) => !copied.some((issue) => issue.description === description))
    // By the line above it is one of the two.
    .map((issue) => ({ ...issue, severity: issue.severity as "CRITICAL" | "MAJOR", file: issue.file ?? "" }));
  return [...copied, ...left];
}

/**
 * Lists CRITICAL and MAJOR issues that the reviewer neither confirmed nor rejected. Beside a confirmed one the work goes
 * back anyway, and the next review is shown all of them.
 */
function listOpenIssues(verdict: Pick<Verdict, IssueLists>): readonly Issue[] {
  if (blockingIn(verdict).length > 0) return [];
  return verdict.issues.filter(
    ({ severity, validation_status: status }) => severity !== "MINOR" && (status ?? "unvalidated") === "unvalidated",
  );
}

const UNHEARD = {
  accept: "it goes on, and says that you accepted it unreviewed",
  refuse: "it has no review, and goes no further",
};

const unreviewed = (by: string): ReviewVerdict => ({
  status: "NOT_REVIEWED",
  accepted_by: by,
  confidence: 1,
  issues: [],
  validated_blocking_issues: [],
});

/** A verdict in the words that people read. */
export const wordOf = ({ status, accepted_by: by }: Pick<ReviewVerdict, "status" | "accepted_by">): string =>
  by === undefined ? status : `not reviewed, accepted by ${by}`;

const heard = (verdict: Verdict): ReviewVerdict => {
  const { status, confidence, issues } = verdict;
  return { status, confidence, issues, validated_blocking_issues: blockingIn(verdict) };
};

/** A reviewer that cannot be reached says nothing about the work: only what may pass counts against the phase. */
const passing = (faults: readonly Fault[]): readonly Fault[] => faults.filter((fault) => fault.class !== "escalate");
