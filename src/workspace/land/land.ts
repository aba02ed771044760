import { SignalboxError } from "../../core/failure/errors.ts";
import type { ForeignCommit, LandOrder, LandResult } from "../../core/ports/workspace.ts";
import { containsCommit, writeCommit } from "../commit/commit.ts";
import { mergeThree } from "../commit/merge.ts";
import { readOwnCommits } from "../read/own-commits.ts";
import { getLine, splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { type CurrentBranch, requireCurrentBranch } from "./current-branch.ts";
import { findRevert } from "./find-revert.ts";
import { finishMove, moveBranch, requireUpToDate, retryMove } from "./move-branch.ts";

type NextTip =
  | { readonly by: "fast-forward" | "merge"; readonly commit: string }
  | { readonly by: "nothing"; readonly conflicts: readonly string[] };

/**
 * Lands by fast-forward if possible, otherwise by a merge commit built from trees. The user's branch moves once or not
 * at all.
 */
export async function landRun(store: GitStore, order: LandOrder): Promise<LandResult> {
  await readOwnCommits(store, order.run, [order.commit]);
  const { branch } = await requireCurrentBranch(store.repository);
  return retryMove(branch, () => landOnce(store, order));
}

async function landOnce(store: GitStore, order: LandOrder): Promise<LandResult | undefined> {
  const at = await requireCurrentBranch(store.repository);
  const { branch } = at;
  const checkout = await finishMove(store, at, { deed: "land", run: order.run });
  if (await containsCommit(store.repository, at.tip, order.commit)) {
    const revertedBy = await findRevert(store.repository, order.commit, at.tip);
    return { status: "already", branch, checkout, ...(revertedBy === undefined ? {} : { revertedBy }) };
  }
  requireUpToDate(checkout, branch);
  const base = await findMergeBase(store, at, order);
  const others = await listForeignCommits(store, at, order);
  if (!isAgreed(others, order)) return { status: "foreign", branch, commits: others };
  const next = await createNextTip(store, at, { ...order, base });
  if (next.by === "nothing") return { status: "conflicts", branch, paths: next.conflicts };
  const { run, date, kept = [], commit } = order;
  const command = `git merge ${commit}`;
  const made = await moveBranch(store, { at, to: next.commit, run, date, kept, deed: "land", command });
  if (made === undefined) return undefined;
  const along = others.length > 0 ? { others } : {};
  return { status: "landed", branch, by: next.by, from: at.tip, to: next.commit, ...along, ...made };
}

/** Lists commits that would land with the run's own, because the run started from them. Newest first. */
async function listForeignCommits(
  store: GitStore,
  at: CurrentBranch,
  { commit, own = [commit] }: LandOrder,
): Promise<readonly ForeignCommit[]> {
  const { out } = await store.repository.ask(["log", "-z", "--format=%H %s", `${at.tip}..${commit}`]);
  const commits = splitRecords(out).map((record) => {
    const [, id = "", subject = ""] = /^(\S+) (.*)$/s.exec(record.toString("utf8")) ?? [];
    return { commit: id, subject };
  });
  return commits.filter((each) => !own.includes(each.commit));
}

const isAgreed = (found: readonly ForeignCommit[], { others = [] }: LandOrder): boolean =>
  others === "all" || found.every(({ commit }) => others.includes(commit));

/** Uses the user's repository, which knows where a shallow history ends. Any of several merge bases will do. */
async function findMergeBase(store: GitStore, at: CurrentBranch, { run, commit }: LandOrder): Promise<string> {
  const base = getLine(await store.repository.ask(["merge-base", at.tip, commit], { answers: [1] }));
  if (base === "") throw createUnrelatedError(at.branch, run);
  return base;
}

async function createNextTip(
  store: GitStore,
  at: CurrentBranch,
  order: LandOrder & { readonly base: string },
): Promise<NextTip> {
  const { run, commit, date, identity, base } = order;
  if (base === at.tip) return { by: "fast-forward", commit };
  const merged = await mergeThree(store, { base, ours: at.tip, theirs: commit });
  if (!merged.clean) return { by: "nothing", conflicts: merged.conflicts };
  const message = `Merge run ${run} into ${at.branch}`;
  const parents = [at.tip, commit];
  return {
    by: "merge",
    commit: await writeCommit(store, { run, tree: merged.tree, parents, message, date, identity }),
  };
}

function createUnrelatedError(branch: string, run: string): SignalboxError {
  return new SignalboxError(
    "LAND_REFUSED",
    `Branch ${branch} and run ${run} have no common commit`,
    "Switch to the branch that the run started from; in a shallow clone, run `git fetch --unshallow` first.",
  );
}
