import type { Tree } from "../../../core/authoring/tree.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { cutDiff } from "../../check-finding.ts";
import { pickNonEmpty } from "../../non-empty.ts";
import { listViolations } from "../context.ts";
import type { ReviewReport, Task } from "../contracts.ts";
import type { LogEntry } from "../files/log.ts";
import { createTaskContext } from "../preparing/plan-sections.ts";
import { ROWS, reviewer } from "../roles.ts";
import { listUnmetCriteria } from "../rules.ts";
import type { IterationContext } from "./attempts.ts";
import { describeChecks } from "./describe-checks.ts";

type TaskReview = { readonly mode: "task-review"; readonly task: Task };
type GroupReview = { readonly mode: "group-review"; readonly tasks: readonly Task[] };

type WorkReviewOrder = {
  /** Name of the task or group. */
  readonly name: string;
  /** One task, or all tasks of a group. */
  readonly what: TaskReview | GroupReview;
  readonly before: Tree;
  readonly after: Tree;
  readonly evidence: Evidence;
};

/** Reviews one task or group. A missing review counts as a rejection. */
export async function reviewWork(
  { context, plan, objections }: IterationContext,
  { name, what, before, after, evidence }: WorkReviewOrder,
): Promise<{ readonly report: ReviewReport; readonly told: readonly LogEntry[] }> {
  const diff = cutDiff(await context.see("diff", { from: before, to: after }));
  const row = ROWS.Reviewer(context.ticketFiles.folder());
  const tasks = what.mode === "task-review" ? [what.task] : what.tasks;
  const grounds = createTaskContext(tasks, { prompt: context.prompt, plan });
  const earlier = pickNonEmpty({ earlier: objections.get(name) ?? [] });
  const input = { ...what, jira: context.jira, ...grounds, ...earlier, diff, ...describeChecks(evidence) };
  const outcome = await context.attempt(reviewer, input, { in: after, base: before, task: name, ...row });
  const told = listViolations("Reviewer", outcome);
  if (outcome.ok) {
    objections.set(name, listObjections(outcome.value));
    return { report: outcome.value, told };
  }
  const summary = `the review did not pass: ${outcome.failure.message}`;
  return { report: { status: "REJECTED", summary, criteria: [], findings: [] }, told };
}

/** Lists the findings for the next review, which checks whether they are fixed. */
export function listObjections({ status, summary, criteria, findings }: ReviewReport): readonly string[] {
  const said = [
    ...listUnmetCriteria({ criteria, findings }),
    ...findings.map(({ severity, message }) => `${severity}: ${message}`),
  ];
  return said.length === 0 && status === "REJECTED" ? [summary] : said;
}
