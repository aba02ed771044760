import { mkdir, realpath } from "node:fs/promises";
import { SignalboxError } from "../core/failure/errors.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import { isWithin } from "../node/containment.ts";
import { discardAttempts, openAgain, openAttempt, shareAttempt, takeOverAttempt } from "./attempt/attempt.ts";
import { hidePaths } from "./attempt/attempt-history.ts";
import { listBorrowedObjects } from "./attempt/borrowed-objects.ts";
import { renderFiles } from "./attempt/render-files.ts";
import { anchorChain, listAnchors } from "./commit/anchor.ts";
import { commitTree, pinTree } from "./commit/commit.ts";
import { composeTree } from "./commit/compose.ts";
import { mergeTrees } from "./commit/merge.ts";
import { copyPins, pinCommit, restorePins } from "./commit/pins.ts";
import { findTakenCommit, takeTree } from "./commit/take-tree.ts";
import { collectGarbage } from "./gc/gc.ts";
import { planRunRefs } from "./gc/run-refs.ts";
import { measureSizes } from "./gc/sizes.ts";
import { landRun } from "./land/land.ts";
import { revertRun } from "./land/revert.ts";
import { readBranch } from "./read/branch.ts";
import { formatPatch, listChangedFiles } from "./read/changed-files.ts";
import { readCheckoutHead, readState } from "./read/checkout.ts";
import { formatDiff } from "./read/diff.ts";
import { writeDirtTree } from "./read/dirty-tree.ts";
import {
  listCheckoutFiles,
  listFilesOnDisk,
  listTreeChanges,
  listTreeFiles,
  readCheckoutFile,
  readTreeFile,
} from "./read/files.ts";
import { findMentions } from "./read/mentions.ts";
import { openRemote } from "./remote/remote.ts";
import { withRemote } from "./remote/remote-workspace.ts";
import type { ReadJournaledCheckout } from "./remote/run-workspace.ts";
import { runOwned } from "./repository/git-process.ts";
import { awaitBackground, type GitStore, openGitStore } from "./repository/git-store.ts";
import { replaceFile } from "./repository/replace-file.ts";
import { findRepository, type Repository } from "./repository/repository.ts";
import { takeSnapshot } from "./snapshot/snapshot.ts";

export type GitWorkspaceOptions = {
  readonly repo: string;
  /** Folder for attempts and the engine's own git directory; outside the repository. */
  readonly cache: string;
  /** Name or address of the git remote that a team shares; without it everything is stored locally. */
  readonly remote?: string;
  /** Reads what a run's journal says about its checkout on the remote; without it the checkout is not verified. */
  readonly journaled?: ReadJournaledCheckout;
  /** Checkouts with at least this many files are kept for reuse; 1,000 by default. */
  readonly warmFrom?: number;
};

export async function gitWorkspace(options: GitWorkspaceOptions): Promise<Workspace> {
  const { repo, cache, remote, journaled, warmFrom } = options;
  const repository = await findRepository(repo);
  const store = await openGitStore(repository, await requireOutsideCache(repository, cache), warmFrom);
  const local = createLocalWorkspace(store);
  if (remote === undefined) return local;
  return withRemote({ local, store, remote: await openRemote(repository, remote), journaled });
}

function createLocalWorkspace(store: GitStore): Workspace {
  const { repository } = store;
  const { top } = repository;
  const local: Workspace = {
    of: () => local,
    async begin(run, { commit }) {
      await pinCommit(store, run, commit);
      return {};
    },
    publish: async () => undefined,
    head: () => readCheckoutHead(repository),
    state: () => readState(repository),
    file: (path, tree) => (tree === undefined ? readCheckoutFile(repository, path) : readTreeFile(store, tree, path)),
    files: (under, tree) =>
      tree === undefined ? listCheckoutFiles(repository, under) : listTreeFiles(store, tree, under),
    filesOnDisk: (under) => listFilesOnDisk(repository, under),
    branch: (name) => readBranch(store, name),
    dirt: (paths) => writeDirtTree(store, paths),
    changes: (from, to) => listTreeChanges(store, from, to),
    open: (tree, name, options) => openAttempt(store, { ...options, tree, name }),
    hide: (dir, paths) => hidePaths(dir, paths),
    borrowed: () => listBorrowedObjects(store),
    reopen: (dir, name) => openAgain(store, dir, name),
    share: (dir, name) => shareAttempt(store, dir, name),
    seize: (order) => takeOverAttempt(store, order),
    settled: () => awaitBackground(store),
    abandon: (run) => discardAttempts(store, run),
    snapshot: (dir, options) => takeSnapshot(store, dir, options),
    render: (tree, files) => renderFiles(store, tree, files),
    compose: (tree, order) => composeTree(store, tree, order),
    mentions: (tree, words) => findMentions(store, tree, words),
    merge: (base, trees) => mergeTrees(store, base, trees),
    commit: (order) => commitTree(store, order),
    take: (order) => takeTree(store, order),
    taken: (run, work) => findTakenCommit(store, run, work),
    pin: (run, tree) => pinTree(store, run, tree),
    hold: (run, commit) => pinCommit(store, run, commit),
    keep: (run) => copyPins(store, run),
    restore: (run) => restorePins(store, run),
    land: (order) => landRun(store, order),
    revert: (order) => revertRun(store, order),
    sizes: () => measureSizes(store),
    gc: ({ runs, dryRun }) => collectGarbage(store, { runs, dryRun, plan: (run) => planRunRefs(store, run, dryRun) }),
    diff: (from, to, only) => formatDiff(store, { from, to, ...(only ? { only } : {}) }),
    changedFiles: (from, to) => listChangedFiles(store, from, to),
    patch: (from, to, paths) => formatPatch(store, { from, to, paths }),
    anchor: (order) => anchorChain(store, order),
    anchored: (run) => listAnchors(store, run),
    holdAnchors: async () => undefined,
    owned: (signal, body) => runOwned(signal, body),
    write: (path, text, ifHash) => replaceFile({ top, path, text, ...(ifHash === undefined ? {} : { ifHash }) }),
  };
  return local;
}

/**
 * Creates the folder for attempts and returns its real path. Refuses a folder inside the repository: an attempt would
 * find the user's node_modules, settings and git directory in parent folders.
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
