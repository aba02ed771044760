import type { SharedWork } from "../../core/ports/workspace.ts";
import { mergeThree } from "../commit/merge.ts";
import type { RunCommit } from "../read/own-commits.ts";
import { getLine, splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { findRevert } from "./find-revert.ts";

/** The change of a commit as two trees; reverting it goes from `with` to `without`. */
export type ChangeShare = { readonly with: string; readonly without: string };

/** Limits the scan on a branch that diverged long ago. */
const MOST_COMMITS = 50;

/**
 * Lists commits that reached the branch in parallel to this one, touch one of its paths and are not reverted, oldest
 * first. Only parallel commits can contain the same change; earlier and later ones are changes of their own.
 */
export async function listParallelCommits(store: GitStore, tip: string, own: RunCommit): Promise<readonly string[]> {
  const paths = await listChangedPaths(store, own.parent, own.commit);
  const after = ["rev-list", "--ancestry-path", `${own.commit}..${tip}`];
  const later = new Set(getLine(await store.repository.ask(after)).split("\n"));
  const asked = [
    "rev-list",
    "--full-history",
    "--no-merges",
    "--min-parents=1",
    "--topo-order",
    "--stdin",
    `-${MOST_COMMITS}`,
  ];
  const input = [tip, `^${own.commit}`, "--", ...paths.filter((path) => !path.includes("\n"))].join("\n");
  const rows = getLine(
    await store.repository.ask(["--literal-pathspecs", ...asked, "--reverse"], { input: `${input}\n` }),
  );
  const beside = rows.split("\n").filter((commit) => commit !== "" && !later.has(commit));
  const reverts = await Promise.all(beside.map((commit) => findRevert(store.repository, commit, tip)));
  return beside.filter((_commit, at) => reverts[at] === undefined);
}

/**
 * Recomputes the commit's change as if the parallel commits came first: what they contain as well is no longer its own.
 */
export async function computeShare(store: GitStore, own: RunCommit, beside: readonly string[]): Promise<ChangeShare> {
  let share: ChangeShare = { with: own.commit, without: own.parent };
  for (const commit of beside) {
    const sides = [share.with, share.without].map((ours) =>
      mergeThree(store, { base: `${commit}^`, ours, theirs: commit }),
    );
    const [there, gone] = await Promise.all(sides);
    // Contradicting changes are not the same change.
    if (there?.clean && gone?.clean) share = { with: there.tree, without: gone.tree };
  }
  return share;
}

/** The paths that stay although the run changed them, and the commits that changed them too. */
export async function findSharedWork(
  store: GitStore,
  { careful, plain, beside }: { careful: string; plain: string; beside: readonly string[] },
): Promise<SharedWork | undefined> {
  const paths = careful === plain ? [] : await listChangedPaths(store, plain, careful);
  if (paths.length === 0) return undefined;
  const touched = await Promise.all(beside.map((commit) => listChangedPaths(store, `${commit}^`, commit)));
  const by = beside.filter((_commit, at) => touched[at]?.some((path) => paths.includes(path)));
  return {
    paths,
    by: await Promise.all(by.map(async (commit) => ({ commit, run: await readRunTrailer(store, commit) }))),
  };
}

async function readRunTrailer(store: GitStore, commit: string): Promise<string | null> {
  const format = "--format=%(trailers:key=Signalbox-Run,valueonly)";
  return getLine(await store.ask(["log", "-1", format, commit])) || null;
}

async function listChangedPaths(store: GitStore, from: string, to: string): Promise<readonly string[]> {
  const { out } = await store.ask(["diff-tree", "-r", "-z", "--name-only", from, to]);
  return splitRecords(out).map((record) => record.toString("utf8"));
}
