import type { Tree } from "../../../core/authoring/tree.ts";
import type { Group, Task } from "../contracts.ts";
import { toMinutes } from "../files/progress.ts";
import type { IterationContext } from "./attempts.ts";
import { runParallelGroup } from "./parallel-group.ts";
import { runSingleTask } from "./single-task.ts";

/**
 * Runs step O5: the groups in order, without tasks that are already accepted. Each group must be accepted before the
 * next starts.
 * @rule T-21 (code) The run measures lead time to the first code change and the cycle times of groups and iterations.
 */
export async function executeGroups(iteration: IterationContext, start: Tree): Promise<Tree> {
  const { context, board } = iteration;
  let tree = start;
  for (const group of board.tasks.execution_order) {
    if (listOpenTasks(iteration, group).length === 0) continue;
    const before = tree;
    tree = await measureGroup(iteration, () =>
      context.within(`group-${group.group}`, () => executeGroup(iteration, group, before)),
    );
  }
  return tree;
}

/** Runs the trivial path: one task without a reviewer. */
export function executeTrivial(
  iteration: IterationContext,
  { task, tree }: { readonly task: Task; readonly tree: Tree },
) {
  return measureGroup(iteration, () => runSingleTask(iteration, { task, tree, review: false }));
}

/** Runs a group and records its cycle time. */
async function measureGroup({ context: { ticketFiles } }: IterationContext, work: () => Promise<Tree>): Promise<Tree> {
  const began = await ticketFiles.save({});
  const tree = await work();
  await ticketFiles.save((now) => ({
    metrics: {
      groups_completed: ticketFiles.progress().metrics.groups_completed + 1,
      latest_group_cycle_minutes_estimate: toMinutes(now - began),
    },
  }));
  return tree;
}

const listOpenTasks = ({ board }: IterationContext, group: Group) =>
  board.tasks.tasks.filter(({ id }) => group.tasks.includes(id) && board.status(id) !== "ACCEPTED");

async function executeGroup(iteration: IterationContext, group: Group, start: Tree): Promise<Tree> {
  const tasks = listOpenTasks(iteration, group);
  if (group.strategy === "parallel") return runParallelGroup(iteration, { group, tasks, tree: start });
  let tree = start;
  for (const task of tasks) {
    tree = await iteration.context.within(task.id, () => runSingleTask(iteration, { task, tree, review: true }));
  }
  return tree;
}
