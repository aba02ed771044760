import type { Tree } from "../../../core/authoring/tree.ts";
import type { Group, Task } from "../contracts.ts";
import { minutes } from "../files/progress.ts";
import type { IterationContext } from "./attempts.ts";
import { parallelGroup } from "./parallel-group.ts";
import { singleTask } from "./single-task.ts";

/**
 * Step O5: the groups in their order; each must be accepted before the next begins. Accepted tasks are not run again.
 * @rule T-21 (code) Lead time and the cycles of groups and iterations are measured.
 */
export async function executeGroups(iteration: IterationContext, start: Tree): Promise<Tree> {
  const { context, board } = iteration;
  let tree = start;
  for (const group of board.tasks.execution_order) {
    if (openIn(iteration, group).length === 0) continue;
    const before = tree;
    tree = await counted(iteration, () =>
      context.within(`group-${group.group}`, () => executeGroup(iteration, group, before)),
    );
  }
  return tree;
}

/** The trivial path: the one task, and nobody who reviews it. */
export function executeTrivial(
  iteration: IterationContext,
  { task, tree }: { readonly task: Task; readonly tree: Tree },
) {
  return counted(iteration, () => singleTask(iteration, { task, tree, review: false }));
}

/** The work of a group, with how long it took. */
async function counted({ context: { ticketFiles } }: IterationContext, work: () => Promise<Tree>): Promise<Tree> {
  const began = await ticketFiles.save({});
  const tree = await work();
  await ticketFiles.save((now) => ({
    metrics: {
      groups_completed: ticketFiles.progress().metrics.groups_completed + 1,
      latest_group_cycle_minutes_estimate: minutes(now - began),
    },
  }));
  return tree;
}

const openIn = ({ board }: IterationContext, group: Group) =>
  board.tasks.tasks.filter(({ id }) => group.tasks.includes(id) && board.status(id) !== "ACCEPTED");

async function executeGroup(iteration: IterationContext, group: Group, start: Tree): Promise<Tree> {
  const tasks = openIn(iteration, group);
  if (group.strategy === "parallel") return parallelGroup(iteration, { group, tasks, tree: start });
  let tree = start;
  for (const task of tasks) {
    tree = await iteration.context.within(task.id, () => singleTask(iteration, { task, tree, review: true }));
  }
  return tree;
}
