import { records } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";

/** What a tree or an index has at a path. */
export type Entry = { readonly mode: string; readonly id: string };

export type RangeChange = { readonly path: string; readonly was?: Entry; readonly is?: Entry };

/** The way of a branch from one commit to another, and what it changes. */
export type CommitRange = {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly RangeChange[];
  /** Files of the checkout that stay as they are, whatever the commit has there. */
  readonly kept: readonly string[];
};

export async function commitRange(
  store: Store,
  { from, to, kept }: Omit<CommitRange, "changes">,
): Promise<CommitRange> {
  const { out } = await store.ask(["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to]);
  return { from, to, kept, changes: rawChanges(out) };
}

/** The output of git's `--raw -z`: a row of modes, ids and a letter, then the path. */
export function rawChanges(out: Buffer): RangeChange[] {
  const fields = records(out).map((record) => record.toString("utf8"));
  const changes: RangeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modeBefore = "", modeAfter = "", idBefore = "", idAfter = ""] = (fields[at] ?? "").slice(1).split(" ");
    const [was, is] = [entry(modeBefore, idBefore), entry(modeAfter, idAfter)];
    changes.push({ path: fields[at + 1] ?? "", ...(was ? { was } : {}), ...(is ? { is } : {}) });
  }
  return changes;
}

export function sameEntry(one: Entry | undefined, other: Entry | undefined): boolean {
  return one?.mode === other?.mode && one?.id === other?.id;
}

function entry(mode: string, id: string): Entry | undefined {
  return mode === "000000" ? undefined : { mode, id };
}
