import type { Tree } from "../../../core/authoring/tree.ts";
import type { Task } from "../contracts.ts";
import type { LogEntry } from "../files/log.ts";
import { isTested } from "../preparing/commands.ts";
import { ACCEPTED, GREEN, INSIDE, SOUND } from "../rules.ts";
import { type AttemptJudgement, type IterationContext, repeatUntilAccepted } from "./attempts.ts";
import { createStrayEntries, type DevelopResult, runDeveloper } from "./develop.ts";
import { selectGroupChecks } from "./group-checks.ts";
import { reviewWork } from "./work-review.ts";

type SingleOrder = { readonly task: Task; readonly tree: Tree; readonly review: boolean };
type SingleVerdict = AttemptJudgement & { readonly told: readonly LogEntry[] };

/** Runs one task until it is accepted: developer, file check, build, tests, and a review unless tests are enough. */
export function runSingleTask(iteration: IterationContext, { task, tree, review }: SingleOrder): Promise<Tree> {
  const { context, board } = iteration;
  const { ticketFiles } = context;
  let start = tree;
  const work = { name: task.id, tasks: [task], group: task.parallel_group };
  return repeatUntilAccepted(iteration, work, async (findings) => {
    board.begin([task.id]);
    await ticketFiles.save({ current_task_id: task.id, current_task_attempt: board.attempt(task.id) });
    const done = await runDeveloper(iteration, { task, tree: start, before: tree, mode: "SEQUENTIAL", findings });
    start = done.after;
    const { decision, tree: after, told } = await judge(iteration, { task, before: tree, review, done });
    const note = decision.findings.map(({ message }) => message).join("; ");
    const status = decision.passed ? ("ACCEPTED" as const) : ("REJECTED" as const);
    board.set(task.id, { status, changed: done.changed, note: decision.passed ? "" : note });
    await ticketFiles.save({}, ...createStrayEntries(done), ...told);
    return { decision, tree: after };
  });
}

type JudgeOrder = {
  readonly task: Task;
  readonly before: Tree;
  readonly review: boolean;
  readonly done: DevelopResult;
};

async function judge(iteration: IterationContext, { task, before, review, done }: JudgeOrder): Promise<SingleVerdict> {
  const { context, board, base } = iteration;
  const { after, work } = done;
  const inside = await context.gate(`files ${task.id}`, [INSIDE, SOUND], { works: [work] });
  if (!inside.passed) return { decision: inside, tree: before, told: [] };
  const chosen = selectGroupChecks(context.commands, board.tasks, task.parallel_group);
  const evidence = await context.check(after, { baseline: base, task: task.id, ...chosen });
  const about = { evidence, conflicts: [], tree: after.tree };
  const green = await context.gate(`build ${task.id}`, [GREEN], about);
  const decided = !green.passed || (!review && isTested(context.commands, evidence));
  if (decided) return { decision: green, tree: after, told: [] };
  const what = { mode: "task-review", task } as const;
  const { report, told } = await reviewWork(iteration, { name: task.id, what, before, after, evidence });
  return {
    decision: await context.gate(`task ${task.id}`, [ACCEPTED], { report, tree: after.tree }),
    tree: after,
    told,
  };
}
