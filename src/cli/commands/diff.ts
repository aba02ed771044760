import { cleanText, toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { RunView } from "../../views/run-view.ts";
import { getRunWork } from "../../views/unaccepted-work.ts";
import type { Call } from "../call.ts";
import { listCommits } from "../inspect/commit-trailer.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import { withView } from "../runs/with-run.ts";

export type DiffFlags = { readonly unaccepted?: boolean };

/** Prints what the run changed since its base commit. */
export async function showDiff(call: Call, runRef: string | undefined, flags: DiffFlags = {}): Promise<number> {
  return withView(call, runRef, async ({ store, row, view }) => {
    const newest = flags.unaccepted ? findUnacceptedTree(view) : findNewestTree(view);
    const base = { commit: flags.unaccepted ? (listCommits(view).at(-1) ?? view.base.commit) : view.base.commit };
    if (!newest) {
      if (call.json) call.emit({ v: 1, run: row.id, from: base.commit || null, to: null, changes: [], diff: "" });
      else call.print(`Run ${row.id} has made no changes yet.`);
      return 0;
    }
    const workspace = (await openRunWorkspace(store)).of(row.id);
    // Redacted as one text, because a private key spans several lines.
    const text = store.world.redact(await workspace.diff(base.commit, newest.id));
    const changes = await workspace.changes(base.commit, newest.id);
    if (call.json) {
      call.emit({ v: 1, run: row.id, from: base.commit, to: newest.id, what: newest.what, changes, diff: text });
      return 0;
    }
    const files = `${changes.length} ${changes.length === 1 ? "file" : "files"}`;
    call.print(call.paint.bold(`# ${row.id}: ${files} from ${base.commit.slice(0, 10)} to ${newest.what}`));
    for (const line of text.trimEnd().split("\n")) call.verbatim(paintDiffLine(call.paint, cleanText(line)));
    return 0;
  });
}

type NewestTree = { readonly id: string; readonly what: string };

/** Returns the last commit, or the newest tree if there is none. */
export function findNewestTree(view: RunView): NewestTree | undefined {
  const commit = listCommits(view).at(-1);
  if (commit) return { id: commit, what: `commit ${commit.slice(0, 10)}` };
  return findUnacceptedTree(view) ?? (view.newestTree && describeTree(view.newestTree));
}

function findUnacceptedTree(view: RunView): NewestTree | undefined {
  const { unaccepted } = getRunWork(view);
  return unaccepted && describeTree(unaccepted);
}

function describeTree({ tree, by }: { readonly tree: string; readonly by?: string }): NewestTree {
  const what = by === undefined ? "newest tree" : "tree";
  const whose = by === undefined ? "" : ` that ${toOneLine(by, 60)} left`;
  return { id: tree, what: `the ${what} ${tree.slice(0, 10)}${whose}, not committed` };
}

function paintDiffLine(paint: Paint, line: string): string {
  if (/^(?:diff|index|---|\+\+\+|new file|deleted file|rename|similarity|old mode|new mode)/.test(line))
    return paint.bold(line);
  if (line.startsWith("@@")) return paint.cyan(line);
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}
