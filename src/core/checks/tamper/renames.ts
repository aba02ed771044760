import { subtractLines } from "./line-tally.ts";
import type { TextChange } from "./text-change.ts";

/** Minimum share of common lines. Below it, the files are different. */
const SHARED = 0.5;
/** Every deleted file is compared with every added one; above this many pairs only equal texts are. */
const MOST_PAIRS = 2500;

/**
 * Joins a deleted and a similar added file into one changed file, because git's trees do not record renames. `mayBe`
 * returns whether the new path may replace the old one.
 */
export function joinRenames(
  changes: readonly TextChange[],
  mayBe: (from: string, to: string) => boolean,
): readonly TextChange[] {
  const came = changes.filter((change) => change.status === "added");
  const went = changes.filter((change) => change.status === "deleted");
  const least = came.length * went.length > MOST_PAIRS ? 1 : SHARED;
  const joined = new Map<TextChange, TextChange>();
  for (const old of went) {
    const free = came.filter((change) => !joined.has(change) && mayBe(old.path, change.path));
    const [best] = free
      .map((change) => [change, measureLikeness(old, change, least)] as const)
      .sort(([, a], [, b]) => b - a);
    if (best && best[1] >= least) joined.set(best[0], old);
  }
  const gone = new Set(joined.values());
  return changes.filter((change) => !gone.has(change)).map((change) => joinRename(change, joined.get(change)));
}

function joinRename(change: TextChange, old: TextChange | undefined): TextChange {
  return old ? { ...change, status: "modified", before: old.before } : change;
}

function measureLikeness(old: TextChange, change: TextChange, least: number): number {
  if (old.before === undefined || change.after === undefined) return 0;
  if (old.before === change.after) return 1;
  const lines = splitSignificantLines(old.before);
  return least === 1 || lines.length === 0
    ? 0
    : 1 - subtractLines(lines, splitSignificantLines(change.after)).length / lines.length;
}

/** Short lines such as `});` are in every file. */
function splitSignificantLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length > 3);
}
