import type { Tree } from "../../core/tree.ts";
import type { Place } from "./attempts.ts";
import type { Group, Task } from "./contracts.ts";
import { parallelGroup } from "./parallel-group.ts";
import { minutes } from "./progress.ts";
import { singleTask } from "./single-task.ts";

/** Step O5: the groups in their order; each must be accepted before the next begins. Accepted tasks are not run again. */
export async function executeGroups(place: Place, start: Tree): Promise<Tree> {
  const { desk, board } = place;
  let tree = start;
  for (const group of board.tasks.execution_order) {
    if (openIn(place, group).length === 0) continue;
    const before = tree;
    tree = await counted(place, () => desk.within(`group-${group.group}`, () => executeGroup(place, group, before)));
  }
  return tree;
}

/** The trivial path: the one task, and nobody who reviews it. */
export function executeTrivial(place: Place, { task, tree }: { readonly task: Task; readonly tree: Tree }) {
  return counted(place, () => singleTask(place, { task, tree, review: false }));
}

/** The work of a group, with how long it took. */
async function counted({ desk: { book } }: Place, work: () => Promise<Tree>): Promise<Tree> {
  const began = await book.save({});
  const tree = await work();
  await book.save((now) => ({
    metrics: {
      groups_completed: book.progress().metrics.groups_completed + 1,
      latest_group_cycle_minutes_estimate: minutes(now - began),
    },
  }));
  return tree;
}

const openIn = ({ board }: Place, group: Group) =>
  board.tasks.tasks.filter(({ id }) => group.tasks.includes(id) && board.status(id) !== "ACCEPTED");

async function executeGroup(place: Place, group: Group, start: Tree): Promise<Tree> {
  const tasks = openIn(place, group);
  if (group.strategy === "parallel") return parallelGroup(place, { group, tasks, tree: start });
  let tree = start;
  for (const task of tasks) {
    tree = await place.desk.within(task.id, () => singleTask(place, { task, tree, review: true }));
  }
  return tree;
}
