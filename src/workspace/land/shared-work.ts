import type { SharedWork } from "../../core/ports/workspace.ts";
import { mergeThree } from "../commit/merge.ts";
import type { OwnCommit } from "../read/own-commits.ts";
import { line, records } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { revertOf } from "./revert-of.ts";

/** What a commit brought, as two trees; taking it back is going from `with` to `without`. */
export type Share = { readonly with: string; readonly without: string };

/** A branch that was left alone for years has more beside it than anybody waits for. */
const MOST_COMMITS = 50;

/**
 * Commits that came to the branch beside this one, touch a path of it and still stand, oldest first. What came before
 * or after it is a change of its own; only those beside it can have brought the very same.
 */
export async function commitsBeside(store: Store, tip: string, own: OwnCommit): Promise<readonly string[]> {
  const paths = await pathsBetween(store, own.parent, own.commit);
  const after = ["rev-list", "--ancestry-path", `${own.commit}..${tip}`];
  const later = new Set(line(await store.repository.ask(after)).split("\n"));
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
  const rows = line(
    await store.repository.ask(["--literal-pathspecs", ...asked, "--reverse"], { input: `${input}\n` }),
  );
  const beside = rows.split("\n").filter((commit) => commit !== "" && !later.has(commit));
  const reverts = await Promise.all(beside.map((commit) => revertOf(store.repository, commit, tip)));
  return beside.filter((_commit, at) => reverts[at] === undefined);
}

/** The same commit as if those beside it had been there first: what they brought too is no longer its own. */
export async function shareOf(store: Store, own: OwnCommit, beside: readonly string[]): Promise<Share> {
  let share: Share = { with: own.commit, without: own.parent };
  for (const commit of beside) {
    const sides = [share.with, share.without].map((ours) =>
      mergeThree(store, { base: `${commit}^`, ours, theirs: commit }),
    );
    const [there, gone] = await Promise.all(sides);
    // Two changes that contradict each other are not the same one.
    if (there?.clean && gone?.clean) share = { with: there.tree, without: gone.tree };
  }
  return share;
}

/** What stays although the run brought it, and whose work it is as well. */
export async function sharedWith(
  store: Store,
  { careful, plain, beside }: { careful: string; plain: string; beside: readonly string[] },
): Promise<SharedWork | undefined> {
  const paths = careful === plain ? [] : await pathsBetween(store, plain, careful);
  if (paths.length === 0) return undefined;
  const touched = await Promise.all(beside.map((commit) => pathsBetween(store, `${commit}^`, commit)));
  const by = beside.filter((_commit, at) => touched[at]?.some((path) => paths.includes(path)));
  return { paths, by: await Promise.all(by.map(async (commit) => ({ commit, run: await runOf(store, commit) }))) };
}

async function runOf(store: Store, commit: string): Promise<string | null> {
  const format = "--format=%(trailers:key=Signalbox-Run,valueonly)";
  return line(await store.ask(["log", "-1", format, commit])) || null;
}

async function pathsBetween(store: Store, from: string, to: string): Promise<readonly string[]> {
  const { out } = await store.ask(["diff-tree", "-r", "-z", "--name-only", from, to]);
  return records(out).map((record) => record.toString("utf8"));
}
