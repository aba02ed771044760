import type { FileDiff } from "../../../src/surfaces/server/port/diff.ts";
import type { DispatchRow, RunPage } from "../../../src/views/page/page.ts";
import { byKind } from "../run/rows.ts";

export type TaskFiles = {
  readonly task: string;
  readonly by: DispatchRow | null;
  readonly files: readonly FileDiff[];
};

/** Each file with who changed it last; what nobody named is the pipeline's own. */
export function byTask({ rows }: RunPage, files: readonly FileDiff[]): readonly TaskFiles[] {
  const { dispatches } = byKind(rows);
  const owner = (path: string) => dispatches.findLast(({ changed }) => changed.includes(path)) ?? null;
  const groups = Map.groupBy(files, ({ path }) => {
    const row = owner(path);
    return row === null ? "" : row.task || row.who;
  });
  const all = [...groups].map(([task, own]) => ({ task, files: own, by: owner(own[0]?.path ?? "") }));
  return [...all.filter(({ task }) => task !== ""), ...all.filter(({ task }) => task === "")];
}

/** Those whose work can be looked at alone: one for each tree that was left. */
export const trees = ({ rows }: RunPage) =>
  byKind(rows).dispatches.flatMap((row) => {
    const tree = row.attempts.findLast((each) => each.tree !== null)?.tree;
    return tree && row.changed.length > 0 ? [{ row, tree }] : [];
  });
