import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { diffFor } from "../../check-finding.ts";
import { violationsIn } from "../context.ts";
import type { ReviewReport } from "../contracts.ts";
import type { LogEntry } from "../files/log.ts";
import { ROWS, reviewer } from "../roles.ts";
import type { IterationContext } from "./attempts.ts";
import { witnessed } from "./witnessed.ts";

type Reviewing = {
  /** Of the task or of the group. */
  readonly name: string;
  /** What was asked for: one task, or all tasks of a group. */
  readonly what: object;
  readonly before: Tree;
  readonly after: Tree;
  readonly evidence: Evidence;
};

/** One task or one group under the Reviewer's eyes; a review that never came is no acceptance. */
export async function reviewWork(
  { context }: IterationContext,
  { name, what, before, after, evidence }: Reviewing,
): Promise<{ readonly report: ReviewReport; readonly told: readonly LogEntry[] }> {
  const diff = diffFor(await context.see("diff", { from: before, to: after }));
  const row = ROWS.Reviewer(context.ticketFiles.folder());
  const input = { ...what, jira: context.jira, diff, ...witnessed(evidence) };
  const outcome = await context.attempt(reviewer, input, { in: after, task: name, ...row });
  const told = violationsIn("Reviewer", outcome);
  if (outcome.ok) return { report: outcome.value, told };
  const summary = `there was no review: ${outcome.failure.message}`;
  return { report: { status: "REJECTED", summary, criteria: [], findings: [] }, told };
}
