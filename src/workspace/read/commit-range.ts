import { splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

/** The entry of a tree or index at a path. */
export type RangeEntry = { readonly mode: string; readonly id: string };

export type RangeChange = { readonly path: string; readonly was?: RangeEntry; readonly is?: RangeEntry };

/** Two commits of a branch and the changes between them. */
export type CommitRange = {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly RangeChange[];
  /** Files of the checkout that stay unchanged, whatever the commit contains. */
  readonly kept: readonly string[];
};

export async function readCommitRange(
  store: GitStore,
  { from, to, kept }: Omit<CommitRange, "changes">,
): Promise<CommitRange> {
  const { out } = await store.ask(["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to]);
  return { from, to, kept, changes: parseRawChanges(out) };
}

/** Parses git's `--raw -z`: a row of modes, ids and a status letter, then the path. */
export function parseRawChanges(out: Buffer): RangeChange[] {
  const fields = splitRecords(out).map((record) => record.toString("utf8"));
  const changes: RangeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modeBefore = "", modeAfter = "", idBefore = "", idAfter = ""] = (fields[at] ?? "").slice(1).split(" ");
    const [was, is] = [toEntry(modeBefore, idBefore), toEntry(modeAfter, idAfter)];
    changes.push({ path: fields[at + 1] ?? "", ...(was ? { was } : {}), ...(is ? { is } : {}) });
  }
  return changes;
}

export function isSameEntry(one: RangeEntry | undefined, other: RangeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.id === other?.id;
}

function toEntry(mode: string, id: string): RangeEntry | undefined {
  return mode === "000000" ? undefined : { mode, id };
}
