import type { RevertOrder, RevertResult, SharedWork } from "../../core/ports/workspace.ts";
import { contains, writeCommit } from "../commit/commit.ts";
import { mergeThree } from "../commit/merge.ts";
import { type OwnCommit, ownCommits } from "../read/own-commits.ts";
import { line } from "../repository/git.ts";
import type { Repository } from "../repository/repository.ts";
import type { Store } from "../repository/store.ts";
import { type CurrentBranch, needsCurrentBranch } from "./current-branch.ts";
import { finishMove, moveBranch, needsUpToDate, retryMove } from "./move-branch.ts";
import { revertOf } from "./revert-of.ts";
import { commitsBeside, type Share, sharedWith, shareOf } from "./shared-work.ts";

type RevertedTree =
  | { readonly clean: true; readonly tree: string; readonly shared?: SharedWork }
  | { readonly clean: false; readonly conflicts: readonly string[] };

/** Reverts only the run's own commits, newest first, in one commit, whatever came between and after them. */
export async function revertRun(store: Store, order: RevertOrder): Promise<RevertResult> {
  const own = await ownCommits(store, order.run, order.commits);
  const { branch } = await needsCurrentBranch(store.repository);
  return retryMove(branch, () => revertOnce(store, order, own));
}

async function revertOnce(
  store: Store,
  order: RevertOrder,
  own: readonly OwnCommit[],
): Promise<RevertResult | undefined> {
  const at = await needsCurrentBranch(store.repository);
  const { branch, tip } = at;
  const checkout = await finishMove(store, at, { deed: "revert", run: order.run });
  const here = await listLanded(store.repository, tip, own);
  if (here.length === 0) return createUnlandedResult(store.repository, { at, order });
  const [tree, back] = await Promise.all([readTreeId(store, tip), createRevertedTree(store, tip, here)]);
  const isSame = back.clean && back.tree === tree && back.shared === undefined;
  const taken = isSame || ((!back.clean || back.shared) && (await areAllReverted(store.repository, tip, here)));
  if (taken) return { status: "already", branch, checkout };
  needsUpToDate(checkout, branch);
  if (!back.clean) return { status: "conflicts", branch, paths: back.conflicts };
  const { run, date, identity, kept = [] } = order;
  const { shared } = back;
  const message = formatMessage(run, here, shared);
  const to = await writeCommit(store, { run, tree: back.tree, parents: [tip], message, date, identity });
  const command = `git revert ${here.map(({ commit }) => commit).join(" ")}`;
  const made = await moveBranch(store, { at, to, run, date, kept, deed: "revert", command });
  return made && { status: "reverted", branch, from: tip, to, ...made, ...(shared ? { shared } : {}) };
}

async function listLanded(repository: Repository, tip: string, own: readonly OwnCommit[]): Promise<OwnCommit[]> {
  const held = await Promise.all(own.map(({ commit }) => contains(repository, tip, commit)));
  return own.filter((_commit, at) => held[at]);
}

/** Keeps changes that other commits made as well, for as long as those commits stand. */
async function createRevertedTree(store: Store, tip: string, own: readonly OwnCommit[]): Promise<RevertedTree> {
  const found = await Promise.all(own.map((each) => commitsBeside(store, tip, each)));
  const beside = [...new Set(found.flat())].filter((commit) => own.every((each) => each.commit !== commit));
  const shares = own.map(({ commit, parent }) => ({ with: commit, without: parent }));
  const plain = await mergeBack(store, tip, shares);
  if (beside.length === 0) return plain;
  const careful = await mergeBack(store, tip, await Promise.all(own.map((each) => shareOf(store, each, beside))));
  if (!careful.clean || !plain.clean) return careful;
  const shared = await sharedWith(store, { careful: careful.tree, plain: plain.tree, beside });
  return shared ? { ...careful, shared } : careful;
}

/** Merges with the landed state as the common ancestor of the current state and the state without it. */
async function mergeBack(store: Store, tip: string, shares: readonly Share[]): Promise<RevertedTree> {
  let tree = await readTreeId(store, tip);
  for (const share of shares) {
    const merged = await mergeThree(store, { base: share.with, ours: tree, theirs: share.without });
    if (!merged.clean) return merged;
    tree = merged.tree;
  }
  return { clean: true, tree };
}

/** A reverted place that was edited again looks like a conflict, so the history decides. */
async function areAllReverted(repository: Repository, tip: string, own: readonly OwnCommit[]): Promise<boolean> {
  const reverts = await Promise.all(own.map(({ commit }) => revertOf(repository, commit, tip)));
  return reverts.every((revert) => revert !== undefined);
}

async function readTreeId(store: Store, commit: string): Promise<string> {
  return line(await store.ask(["rev-parse", "--verify", `${commit}^{tree}`]));
}

type UnlandedInput = { readonly at: CurrentBranch; readonly order: RevertOrder };

async function createUnlandedResult(repository: Repository, { at, order }: UnlandedInput): Promise<RevertResult> {
  const holding = order.commits.flatMap((commit) => ["--contains", commit]);
  const asked = ["for-each-ref", "--format=%(refname:lstrip=2)", ...holding, "refs/heads/"];
  const on =
    holding.length === 0
      ? []
      : line(await repository.ask(asked))
          .split("\n")
          .filter(Boolean);
  // The work exists only on the run's own branch, so deleting it is a person's decision.
  const command = on.length === 0 ? "" : `git branch -D ${on.join(" ")}`;
  return { status: "unlanded", branch: at.branch, on, command };
}

function formatMessage(run: string, own: readonly OwnCommit[], shared: SharedWork | undefined): string {
  const taken = own.map(({ commit }) => `This reverts commit ${commit}.`).join("\n");
  const left = shared ? `\n\nChanges that ${shared.by.map(({ commit }) => commit).join(", ")} also made are kept.` : "";
  return `Revert run ${run}\n\n${taken}${left}`;
}
