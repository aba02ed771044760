import { mkdir, realpath } from "node:fs/promises";
import { sep } from "node:path";
import { SignalboxError } from "../core/errors.ts";
import type { Workspace } from "../core/ports/workspace.ts";
import { anchorChain, anchoredChain } from "./anchor.ts";
import { abandonAttempts, openAttempt, reopenAttempt, seizeAttempt } from "./attempt.ts";
import { seeBranch } from "./branch.ts";
import { seeHead, seeState } from "./checkout.ts";
import { commitTree, pinTree } from "./commit.ts";
import { composeTree } from "./compose.ts";
import { diffText } from "./diff.ts";
import { dirtTree } from "./dirt.ts";
import { collectGarbage } from "./gc.ts";
import { holdCommit, keepPins, restorePins } from "./kept.ts";
import { landRun } from "./land.ts";
import { seeChanges, seeFile, seeFileIn, seeFiles, seeFilesIn, seeFilesOnDisk } from "./look.ts";
import { seeMentions } from "./mentions.ts";
import { mergeTrees } from "./merge.ts";
import { renderInto } from "./render.ts";
import { replaceFile } from "./replace-file.ts";
import { findRepository, type Repository } from "./repository.ts";
import { revertRun } from "./revert.ts";
import { seeSizes } from "./sizes.ts";
import { takeSnapshot } from "./snapshot.ts";
import { openStore } from "./store.ts";

export type GitWorkspaceOptions = {
  readonly repo: string;
  /** Folder for attempts and the engine's own git directory; outside the repository. */
  readonly cache: string;
};

export async function gitWorkspace({ repo, cache }: GitWorkspaceOptions): Promise<Workspace> {
  const repository = await findRepository(repo);
  const store = await openStore(repository, await cacheOutside(repository, cache));
  const { top } = repository;
  return {
    head: () => seeHead(repository),
    state: () => seeState(repository),
    file: (path, tree) => (tree === undefined ? seeFile(repository, path) : seeFileIn(store, tree, path)),
    files: (under, tree) => (tree === undefined ? seeFiles(repository, under) : seeFilesIn(store, tree, under)),
    filesOnDisk: (under) => seeFilesOnDisk(repository, under),
    branch: (name) => seeBranch(store, name),
    dirt: (paths) => dirtTree(store, paths),
    changes: (from, to) => seeChanges(store, from, to),
    open: (tree, name) => openAttempt(store, tree, name),
    reopen: (dir, name) => reopenAttempt(store, dir, name),
    seize: (order) => seizeAttempt(store, order),
    abandon: (run) => abandonAttempts(store, run),
    snapshot: (dir, options) => takeSnapshot(store, dir, options),
    render: (tree, files) => renderInto(store, tree, files),
    compose: (tree, order) => composeTree(store, tree, order),
    mentions: (tree, words) => seeMentions(store, tree, words),
    merge: (base, trees) => mergeTrees(store, base, trees),
    commit: (order) => commitTree(store, order),
    pin: (run, tree) => pinTree(store, run, tree),
    hold: (run, commit) => holdCommit(store, run, commit),
    keep: (run) => keepPins(store, run),
    restore: (run) => restorePins(store, run),
    land: (order) => landRun(store, order),
    revert: (order) => revertRun(store, order),
    sizes: () => seeSizes(store),
    gc: (order) => collectGarbage(store, order),
    diff: (from, to, only) => diffText(store, { from, to, ...(only ? { only } : {}) }),
    anchor: (order) => anchorChain(store, order),
    anchored: (run) => anchoredChain(store, run),
    write: (path, text, ifHash) => replaceFile({ top, path, text, ...(ifHash === undefined ? {} : { ifHash }) }),
  };
}

/** Inside the repository an attempt would find the user's node_modules, settings and git directory by going up. */
async function cacheOutside({ top }: Repository, cache: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  const real = await realpath(cache);
  if (real !== top && !real.startsWith(top + sep)) return real;
  throw new SignalboxError(
    "INPUT_INVALID",
    `The folder for attempts, ${real}, lies inside the repository ${top}`,
    "Choose one outside, for example below ~/.cache.",
  );
}
