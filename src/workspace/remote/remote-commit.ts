import type { BranchState } from "../../core/authoring/observations.ts";
import type { CommitOrder } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import {
  type CommitResult,
  containsCommit,
  createBranchMovedError,
  requireBranchRef,
  requireRef,
  writeCommit,
} from "../commit/commit.ts";
import { describeBranch } from "../read/branch.ts";
import { getLine } from "../repository/git.ts";
import type { ObjectTravel } from "./travel.ts";

/** How often another process may move the branch between the check and the swap. */
const TRIES = 3;

/** The same order gives the same commit on every machine, and the remote's branch moves at most once. */
export async function commitOnRemote(travel: ObjectTravel, order: CommitOrder): Promise<CommitResult> {
  const { store, remote, objects } = travel;
  const branch = await requireBranchRef(store, order.branch);
  await travel.obtain(order.parent, order.tree);
  const commit = await writeCommit(store, { ...order, parents: [order.parent] });
  const own = `refs/signalbox/${objects.run}/commit/${commit}`;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const now = await fetchTip(travel, order.branch);
    const held = now !== undefined && (await containsCommit(store.repository, now, commit));
    if (!held && now !== undefined && now !== order.parent) throw createBranchMovedError(order);
    // Also pushed under its own ref, so that the next commit on another machine finds its parent.
    const moves = held ? [] : [{ ref: branch, from: now, to: commit }];
    const outcomes = await remote.push([...moves, { ref: own, to: commit }]);
    if (!held && outcomes.get(branch) !== "done") continue;
    await store.repository.ask(["update-ref", own, commit]);
    objects.carried.set(commit, commit);
    return { commit, branch: order.branch };
  }
  throw createBranchMovedError(order);
}

/** The branch on the remote; `subjects` lists commits that the run did not start with. */
export async function readRemoteBranch(travel: ObjectTravel, name: string, head: string): Promise<BranchState | null> {
  await requireRef(travel.store, { ref: `refs/heads/${name}`, given: `branch "${name}"` });
  const commit = await fetchTip(travel, name);
  if (commit === undefined) return null;
  await travel.obtain(head);
  return describeBranch(travel.store, commit, head);
}

async function fetchTip({ store, remote, objects }: ObjectTravel, name: string): Promise<string | undefined> {
  // Hashed, because a branch name may be a prefix folder of another's.
  const seen = `refs/signalbox/${objects.run}/seen/${sha256(name).slice(0, 16)}`;
  if (!(await remote.fetch([`+refs/heads/${name}:${seen}`]))) return undefined;
  return getLine(await store.repository.ask(["rev-parse", "--verify", seen]));
}
