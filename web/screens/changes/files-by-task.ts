import type { FileDiff } from "../../../src/surfaces/server/port/diff.ts";
import type { DispatchRow, RunPage } from "../../../src/views/page/page.ts";
import { groupRows } from "../run/rows.ts";

export type TaskFiles = {
  readonly task: string;
  readonly by: DispatchRow | null;
  readonly files: readonly FileDiff[];
};

/** Groups files by the task that changed them last. Files that no dispatch lists belong to the pipeline. */
export function groupFilesByTask({ rows }: RunPage, files: readonly FileDiff[]): readonly TaskFiles[] {
  const { dispatches } = groupRows(rows);
  const owner = (path: string) => dispatches.findLast(({ changed }) => changed.includes(path)) ?? null;
  const groups = Map.groupBy(files, ({ path }) => {
    const row = owner(path);
    return row === null ? "" : row.task || row.who;
  });
  const all = [...groups].map(([task, own]) => ({ task, files: own, by: owner(own[0]?.path ?? "") }));
  return [...all.filter(({ task }) => task !== ""), ...all.filter(({ task }) => task === "")];
}

/** Lists dispatches whose work can be displayed separately, each with the tree that it left. */
export const listTrees = ({ rows }: RunPage) =>
  groupRows(rows).dispatches.flatMap((row) => {
    const tree = row.attempts.findLast((each) => each.tree !== null)?.tree;
    return tree && row.changed.length > 0 ? [{ row, tree }] : [];
  });
