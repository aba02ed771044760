import type { Tree } from "../../core/tree.ts";
import type { Evidence } from "../../core/verbs.ts";
import { type Judged, type Place, untilAccepted } from "./attempts.ts";
import { checksFor } from "./commands.ts";
import type { Reviewed, Task } from "./contracts.ts";
import { violationsIn } from "./desk.ts";
import { type Developed, develop, strayLines } from "./develop.ts";
import type { Said } from "./log.ts";
import { ROWS, reviewer } from "./roles.ts";
import { ACCEPTED, GREEN, INSIDE, SOUND } from "./rules.ts";

type Single = { readonly task: Task; readonly tree: Tree; readonly review: boolean };
type Verdict = Judged & { readonly told: readonly Said[] };

/** One task until it is accepted: developer, files, build, tests, review. In the trivial path nobody reviews it. */
export function singleTask(place: Place, { task, tree, review }: Single): Promise<Tree> {
  const { desk, board } = place;
  const { book } = desk;
  let start = tree;
  const work = { name: task.id, tasks: [task], group: task.parallel_group };
  return untilAccepted(place, work, async (findings) => {
    board.begin([task.id]);
    await book.save({ current_task_id: task.id, current_task_attempt: board.attempt(task.id) });
    const done = await develop(place, { task, tree: start, before: tree, mode: "SEQUENTIAL", findings });
    start = done.after;
    const { decision, tree: after, told } = await judge(place, { task, before: tree, review, done });
    const note = decision.findings.map(({ message }) => message).join("; ");
    const status = decision.passed ? ("ACCEPTED" as const) : ("REJECTED" as const);
    board.set(task.id, { status, changed: done.changed, note: decision.passed ? "" : note });
    await book.save({}, ...strayLines(done), ...told);
    return { decision, tree: after };
  });
}

type Question = { readonly task: Task; readonly before: Tree; readonly review: boolean; readonly done: Developed };

async function judge(place: Place, { task, before, review, done }: Question): Promise<Verdict> {
  const { desk, board, base } = place;
  const { after, work } = done;
  const inside = await desk.gate(`files ${task.id}`, [INSIDE, SOUND], { works: [work] });
  if (!inside.passed) return { decision: inside, tree: before, told: [] };
  const chosen = checksFor(desk.commands, board.tasks, task.parallel_group);
  const evidence = await desk.check(after, { baseline: base, task: task.id, ...chosen });
  const about = { evidence, conflicts: [], tree: after.tree };
  const green = await desk.gate(`build ${task.id}`, [GREEN], about);
  if (!green.passed || !review) return { decision: green, tree: after, told: [] };
  const { report, told } = await reviewTask(place, { task, before, after, evidence });
  return { decision: await desk.gate(`task ${task.id}`, [ACCEPTED], { report, tree: after.tree }), tree: after, told };
}

type Reviewing = {
  readonly task: Task;
  readonly before: Tree;
  readonly after: Tree;
  readonly evidence: Evidence;
};

/** A review that never came is no acceptance. */
async function reviewTask({ desk }: Place, { task, before, after, evidence }: Reviewing) {
  const diff = await desk.see("diff", { from: before, to: after });
  const row = ROWS.Reviewer(desk.book.folder());
  const input = { mode: "task-review", jira: desk.jira, task, diff, evidence };
  const outcome = await desk.attempt(reviewer, input, { in: after, task: task.id, ...row });
  const told = violationsIn("Reviewer", outcome);
  if (outcome.ok) return { report: outcome.value, told };
  const summary = `there was no review: ${outcome.failure.message}`;
  const report: Reviewed = { status: "REJECTED", summary, criteria: [], findings: [] };
  return { report, told };
}
