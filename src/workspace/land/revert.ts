import type { RevertOrder, RevertResult, SharedWork } from "../../core/ports/workspace.ts";
import { containsCommit, writeCommit } from "../commit/commit.ts";
import { mergeThree } from "../commit/merge.ts";
import { type RunCommit, readOwnCommits } from "../read/own-commits.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import type { Repository } from "../repository/repository.ts";
import { type CurrentBranch, requireCurrentBranch } from "./current-branch.ts";
import { findRevert } from "./find-revert.ts";
import { finishMove, moveBranch, requireUpToDate, retryMove } from "./move-branch.ts";
import { type ChangeShare, computeShare, findSharedWork, listParallelCommits } from "./shared-work.ts";

type RevertedTree =
  | { readonly clean: true; readonly tree: string; readonly shared?: SharedWork }
  | { readonly clean: false; readonly conflicts: readonly string[] };

/** Reverts only the run's own commits, newest first, in one commit, whatever came between and after them. */
export async function revertRun(store: GitStore, order: RevertOrder): Promise<RevertResult> {
  const own = await readOwnCommits(store, order.run, order.commits);
  const { branch } = await requireCurrentBranch(store.repository);
  return retryMove(branch, () => revertOnce(store, order, own));
}

async function revertOnce(
  store: GitStore,
  order: RevertOrder,
  own: readonly RunCommit[],
): Promise<RevertResult | undefined> {
  const at = await requireCurrentBranch(store.repository);
  const { branch, tip } = at;
  const checkout = await finishMove(store, at, { deed: "revert", run: order.run });
  const here = await listLanded(store.repository, tip, own);
  if (here.length === 0) return createUnlandedResult(store.repository, { at, order });
  const [tree, back] = await Promise.all([readTreeId(store, tip), createRevertedTree(store, tip, here)]);
  const isSame = back.clean && back.tree === tree && back.shared === undefined;
  const taken = isSame || ((!back.clean || back.shared) && (await areAllReverted(store.repository, tip, here)));
  if (taken) return { status: "already", branch, checkout };
  requireUpToDate(checkout, branch);
  if (!back.clean) return { status: "conflicts", branch, paths: back.conflicts };
  const { run, date, identity, kept = [] } = order;
  const { shared } = back;
  const message = formatMessage(run, here, shared);
  const to = await writeCommit(store, { run, tree: back.tree, parents: [tip], message, date, identity });
  const command = `git revert ${here.map(({ commit }) => commit).join(" ")}`;
  const made = await moveBranch(store, { at, to, run, date, kept, deed: "revert", command });
  return made && { status: "reverted", branch, from: tip, to, ...made, ...(shared ? { shared } : {}) };
}

async function listLanded(repository: Repository, tip: string, own: readonly RunCommit[]): Promise<RunCommit[]> {
  const held = await Promise.all(own.map(({ commit }) => containsCommit(repository, tip, commit)));
  return own.filter((_commit, at) => held[at]);
}

/** Keeps changes that other commits made as well, for as long as those commits stand. */
async function createRevertedTree(store: GitStore, tip: string, own: readonly RunCommit[]): Promise<RevertedTree> {
  const found = await Promise.all(own.map((each) => listParallelCommits(store, tip, each)));
  const beside = [...new Set(found.flat())].filter((commit) => own.every((each) => each.commit !== commit));
  const shares = own.map(({ commit, parent }) => ({ with: commit, without: parent }));
  const plain = await mergeBack(store, tip, shares);
  if (beside.length === 0) return plain;
  const careful = await mergeBack(store, tip, await Promise.all(own.map((each) => computeShare(store, each, beside))));
  if (!careful.clean || !plain.clean) return careful;
  const shared = await findSharedWork(store, { careful: careful.tree, plain: plain.tree, beside });
  return shared ? { ...careful, shared } : careful;
}

/** Merges with the landed state as the common ancestor of the current state and the state without it. */
async function mergeBack(store: GitStore, tip: string, shares: readonly ChangeShare[]): Promise<RevertedTree> {
  let tree = await readTreeId(store, tip);
  for (const share of shares) {
    const merged = await mergeThree(store, { base: share.with, ours: tree, theirs: share.without });
    if (!merged.clean) return merged;
    tree = merged.tree;
  }
  return { clean: true, tree };
}

/** A reverted place that was edited again looks like a conflict, so the history decides. */
async function areAllReverted(repository: Repository, tip: string, own: readonly RunCommit[]): Promise<boolean> {
  const reverts = await Promise.all(own.map(({ commit }) => findRevert(repository, commit, tip)));
  return reverts.every((revert) => revert !== undefined);
}

async function readTreeId(store: GitStore, commit: string): Promise<string> {
  return getLine(await store.ask(["rev-parse", "--verify", `${commit}^{tree}`]));
}

type UnlandedInput = { readonly at: CurrentBranch; readonly order: RevertOrder };

async function createUnlandedResult(repository: Repository, { at, order }: UnlandedInput): Promise<RevertResult> {
  const holding = order.commits.flatMap((commit) => ["--contains", commit]);
  const asked = ["for-each-ref", "--format=%(refname:lstrip=2)", ...holding, "refs/heads/"];
  const on =
    holding.length === 0
      ? []
      : getLine(await repository.ask(asked))
          .split("\n")
          .filter(Boolean);
  // The work exists only on the run's own branch, so deleting it is a person's decision.
  const command = on.length === 0 ? "" : `git branch -D ${on.join(" ")}`;
  return { status: "unlanded", branch: at.branch, on, command };
}

function formatMessage(run: string, own: readonly RunCommit[], shared: SharedWork | undefined): string {
  const taken = own.map(({ commit }) => `This reverts commit ${commit}.`).join("\n");
  const left = shared ? `\n\nChanges that ${shared.by.map(({ commit }) => commit).join(", ")} also made are kept.` : "";
  return `Revert run ${run}\n\n${taken}${left}`;
}
