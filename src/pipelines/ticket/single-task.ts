import type { Tree } from "../../core/tree.ts";
import { type Judged, type Place, untilAccepted } from "./attempts.ts";
import { checksFor, isTested } from "./commands.ts";
import type { Task } from "./contracts.ts";
import { type Developed, develop, strayLines } from "./develop.ts";
import type { Said } from "./log.ts";
import { ACCEPTED, GREEN, INSIDE, SOUND } from "./rules.ts";
import { reviewWork } from "./work-review.ts";

type Single = { readonly task: Task; readonly tree: Tree; readonly review: boolean };
type Verdict = Judged & { readonly told: readonly Said[] };

/** One task until it is accepted: developer, files, build, tests, review; in the trivial path tests can do without. */
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
  const decided = !green.passed || (!review && isTested(desk.commands, evidence));
  if (decided) return { decision: green, tree: after, told: [] };
  const what = { mode: "task-review", task };
  const { report, told } = await reviewWork(place, { name: task.id, what, before, after, evidence });
  return { decision: await desk.gate(`task ${task.id}`, [ACCEPTED], { report, tree: after.tree }), tree: after, told };
}
