import { mkdir, realpath } from "node:fs/promises";
import { SignalboxError } from "../core/failure/errors.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import { isWithin } from "../node/containment.ts";
import { abandonAttempts, openAttempt, reopenAttempt, seizeAttempt, shareAttempt } from "./attempt/attempt.ts";
import { borrowedObjects } from "./attempt/borrowed-objects.ts";
import { hideIn } from "./attempt/own-history.ts";
import { renderInto } from "./attempt/render.ts";
import { anchorChain, anchoredChains } from "./commit/anchor.ts";
import { commitTree, pinTree } from "./commit/commit.ts";
import { composeTree } from "./commit/compose.ts";
import { mergeTrees } from "./commit/merge.ts";
import { holdCommit, keepPins, restorePins } from "./commit/pins.ts";
import { takenCommit, takeTree } from "./commit/take.ts";
import { collectGarbage } from "./gc/gc.ts";
import { runRefs } from "./gc/keep-unmerged.ts";
import { seeSizes } from "./gc/sizes.ts";
import { landRun } from "./land/land.ts";
import { revertRun } from "./land/revert.ts";
import { seeBranch } from "./read/branch.ts";
import { patchOf, seeChangedFiles } from "./read/changed-files.ts";
import { seeHead, seeState } from "./read/checkout.ts";
import { diffText } from "./read/diff.ts";
import { dirtTree } from "./read/dirty-tree.ts";
import { seeChanges, seeFile, seeFileIn, seeFiles, seeFilesIn, seeFilesOnDisk } from "./read/files.ts";
import { seeMentions } from "./read/mentions.ts";
import { openRemote } from "./remote/remote.ts";
import { withRemote } from "./remote/remote-workspace.ts";
import type { JournaledCheckouts } from "./remote/run-workspace.ts";
import { ownedBy } from "./repository/git-process.ts";
import { replaceFile } from "./repository/replace-file.ts";
import { findRepository, type Repository } from "./repository/repository.ts";
import { openStore, type Store, settled } from "./repository/store.ts";
import { takeSnapshot } from "./snapshot/snapshot.ts";

export type GitWorkspaceOptions = {
  readonly repo: string;
  /** Folder for attempts and the engine's own git directory; outside the repository. */
  readonly cache: string;
  /** Name or address of the git remote that a team shares; without it everything is stored locally. */
  readonly remote?: string;
  /** Reads what a run's journal says about its checkout on the remote; without it the checkout is not verified. */
  readonly journaled?: JournaledCheckouts;
  /** Checkouts with at least this many files are kept for reuse; 1,000 by default. */
  readonly warmFrom?: number;
};

export async function gitWorkspace(options: GitWorkspaceOptions): Promise<Workspace> {
  const { repo, cache, remote, journaled, warmFrom } = options;
  const repository = await findRepository(repo);
  const store = await openStore(repository, await requireOutsideCache(repository, cache), warmFrom);
  const local = createLocalWorkspace(store);
  if (remote === undefined) return local;
  return withRemote({ local, store, remote: await openRemote(repository, remote), journaled });
}

function createLocalWorkspace(store: Store): Workspace {
  const { repository } = store;
  const { top } = repository;
  const local: Workspace = {
    of: () => local,
    async begin(run, { commit }) {
      await holdCommit(store, run, commit);
      return {};
    },
    publish: async () => undefined,
    head: () => seeHead(repository),
    state: () => seeState(repository),
    file: (path, tree) => (tree === undefined ? seeFile(repository, path) : seeFileIn(store, tree, path)),
    files: (under, tree) => (tree === undefined ? seeFiles(repository, under) : seeFilesIn(store, tree, under)),
    filesOnDisk: (under) => seeFilesOnDisk(repository, under),
    branch: (name) => seeBranch(store, name),
    dirt: (paths) => dirtTree(store, paths),
    changes: (from, to) => seeChanges(store, from, to),
    open: (tree, name, options) => openAttempt(store, { ...options, tree, name }),
    hide: (dir, paths) => hideIn(dir, paths),
    borrowed: () => borrowedObjects(store),
    reopen: (dir, name) => reopenAttempt(store, dir, name),
    share: (dir, name) => shareAttempt(store, dir, name),
    seize: (order) => seizeAttempt(store, order),
    settled: () => settled(store),
    abandon: (run) => abandonAttempts(store, run),
    snapshot: (dir, options) => takeSnapshot(store, dir, options),
    render: (tree, files) => renderInto(store, tree, files),
    compose: (tree, order) => composeTree(store, tree, order),
    mentions: (tree, words) => seeMentions(store, tree, words),
    merge: (base, trees) => mergeTrees(store, base, trees),
    commit: (order) => commitTree(store, order),
    take: (order) => takeTree(store, order),
    taken: (run, work) => takenCommit(store, run, work),
    pin: (run, tree) => pinTree(store, run, tree),
    hold: (run, commit) => holdCommit(store, run, commit),
    keep: (run) => keepPins(store, run),
    restore: (run) => restorePins(store, run),
    land: (order) => landRun(store, order),
    revert: (order) => revertRun(store, order),
    sizes: () => seeSizes(store),
    gc: ({ runs, dryRun }) => collectGarbage(store, { runs, dryRun, plan: (run) => runRefs(store, run, dryRun) }),
    diff: (from, to, only) => diffText(store, { from, to, ...(only ? { only } : {}) }),
    changedFiles: (from, to) => seeChangedFiles(store, from, to),
    patch: (from, to, paths) => patchOf(store, { from, to, paths }),
    anchor: (order) => anchorChain(store, order),
    anchored: (run) => anchoredChains(store, run),
    holdAnchors: async () => undefined,
    owned: (signal, body) => ownedBy(signal, body),
    write: (path, text, ifHash) => replaceFile({ top, path, text, ...(ifHash === undefined ? {} : { ifHash }) }),
  };
  return local;
}

/**
 * Inside the repository an attempt would find the user's node_modules, settings and git directory in parent folders.
 */
async function requireOutsideCache({ top }: Repository, cache: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  const real = await realpath(cache);
  if (!isWithin(real, top)) return real;
  throw new SignalboxError(
    "INPUT_INVALID",
    `The folder for attempts, ${real}, is inside the repository ${top}`,
    "Choose one outside, such as a folder below ~/.cache.",
  );
}
