import type { Tree } from "../../core/tree.ts";
import type { Evidence } from "../../core/verbs.ts";
import type { Place } from "./attempts.ts";
import type { Reviewed } from "./contracts.ts";
import { violationsIn } from "./desk.ts";
import type { Said } from "./log.ts";
import { ROWS, reviewer } from "./roles.ts";

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
  { desk }: Place,
  { name, what, before, after, evidence }: Reviewing,
): Promise<{ readonly report: Reviewed; readonly told: readonly Said[] }> {
  const diff = await desk.see("diff", { from: before, to: after });
  const row = ROWS.Reviewer(desk.book.folder());
  const input = { ...what, jira: desk.jira, diff, evidence };
  const outcome = await desk.attempt(reviewer, input, { in: after, task: name, ...row });
  const told = violationsIn("Reviewer", outcome);
  if (outcome.ok) return { report: outcome.value, told };
  const summary = `there was no review: ${outcome.failure.message}`;
  return { report: { status: "REJECTED", summary, criteria: [], findings: [] }, told };
}
