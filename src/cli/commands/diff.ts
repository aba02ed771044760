import type { JournalRecord } from "../../core/record.ts";
import { cleanText, oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";
import type { Call } from "../call.ts";
import { commitsIn } from "../commit-anchor.ts";
import { withRun } from "../run-book.ts";

/** What the run changed, against the commit that it started from. */
export async function diff(call: Call, asked: string | undefined): Promise<number> {
  return withRun(call, asked, async ({ book, row, records }) => {
    const base = records.find((record) => record.type === "run.started")?.base;
    const newest = newestOf(records);
    if (!base || !newest) {
      if (call.json) call.emit({ v: 1, run: row.id, from: base?.commit ?? null, to: null, changes: [], diff: "" });
      else call.print(`The run ${row.id} has changed nothing so far.`);
      return 0;
    }
    const workspace = await gitWorkspace({ repo: book.places.top, cache: book.places.cache });
    // As a whole: a private key goes over many lines.
    const text = book.world.redact(await workspace.diff(base.commit, newest.id));
    const changes = await workspace.changes(base.commit, newest.id);
    if (call.json) {
      call.emit({ v: 1, run: row.id, from: base.commit, to: newest.id, what: newest.what, changes, diff: text });
      return 0;
    }
    const files = `${changes.length} ${changes.length === 1 ? "file" : "files"}`;
    call.print(call.paint.bold(`# ${row.id}: ${files} from ${base.commit.slice(0, 10)} to ${newest.what}`));
    for (const line of text.trimEnd().split("\n")) call.print(painted(call.paint, cleanText(line)));
    return 0;
  });
}

type Newest = { readonly id: string; readonly what: string };

/** The last commit; without one the newest tree that an agent left or a merge made. */
function newestOf(records: readonly JournalRecord[]): Newest | undefined {
  const commit = commitsIn(records).at(-1);
  if (commit) return { id: commit, what: `commit ${commit.slice(0, 10)}` };
  const merges = new Set(
    records.flatMap((record) => (record.type === "step.started" && record.verb === "merge" ? [record.key] : [])),
  );
  for (const record of records.toReversed()) {
    if (record.type === "agent.finished" && record.after) {
      const who = oneLine(record.instance || record.role, 60);
      return { id: record.after, what: `the tree ${record.after.slice(0, 10)} that ${who} left, not committed` };
    }
    const tree = record.type === "step.finished" && merges.has(record.key) ? mergedTree(record.value) : undefined;
    if (tree) return { id: tree, what: `the merged tree ${tree.slice(0, 10)}, not committed` };
  }
  return undefined;
}

function mergedTree(value: unknown): string | undefined {
  // Recorded by the verb itself.
  const merged = (value ?? {}) as { clean?: boolean; tree?: { tree: string } };
  return merged.clean ? merged.tree?.tree : undefined;
}

function painted(paint: Paint, line: string): string {
  if (/^(?:diff|index|---|\+\+\+|new file|deleted file|rename|similarity|old mode|new mode)/.test(line))
    return paint.bold(line);
  if (line.startsWith("@@")) return paint.cyan(line);
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}
