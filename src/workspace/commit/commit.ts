import { SignalboxError } from "../../core/failure/errors.ts";
import type { CommitOrder } from "../../core/ports/workspace.ts";
import { identityAt, NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { line, records } from "../repository/git.ts";
import { messageOf } from "../repository/message.ts";
import type { Repository } from "../repository/repository.ts";
import type { Store } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";

const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export type CommitResult = { readonly commit: string; readonly branch: string };

/** The commit depends only on the order, so the same order gives the same id. The branch moves at most once. */
export async function commitTree(store: Store, order: CommitOrder): Promise<CommitResult> {
  const ref = await refOf(store, order.branch);
  const commit = await writeCommit(store, { ...order, parents: [order.parent] });
  const made = { commit, branch: order.branch };
  if (await moveRef(store.repository, { ref, commit, order })) return made;
  // Another process moved the branch between the check and the swap, so it is checked again.
  if (await moveRef(store.repository, { ref, commit, order })) return made;
  throw branchMoved(order);
}

/** Protects the tree and its objects from garbage collection. */
export async function pinTree(store: Store, run: string, tree: string): Promise<void> {
  const ref = `refs/signalbox/${run}/t/${needsId(tree)}`;
  // The engine's own ids are always valid, which saves a git call per attempt.
  if (!PLAIN_NAME.test(run)) await needsRef(store, { ref, given: `run "${run}"` });
  await store.repository.ask(["update-ref", ref, tree]);
}

type NewCommit = Pick<CommitOrder, "run" | "tree" | "message" | "date"> & {
  readonly parents: readonly string[];
  readonly identity?: CommitOrder["identity"] | undefined;
};

/** Creates only the object; no ref points to it yet. */
export async function writeCommit(store: Store, order: NewCommit): Promise<string> {
  const { run, tree, parents, message, date, identity } = order;
  const input = messageOf(message, run);
  const args = ["commit-tree", needsId(tree), ...parents.flatMap((parent) => ["-p", needsId(parent)]), "-F", "-"];
  return line(await store.ask(args, { env: identityAt(date, identity), input }));
}

type RefMove = { readonly ref: string; readonly commit: string; readonly order: CommitOrder };

/** Returns true if the branch contains the commit afterwards, false if it was moved concurrently. */
async function moveRef(repository: Repository, { ref, commit, order }: RefMove): Promise<boolean> {
  const now = await branchNow(repository, ref);
  if (now.symref !== "") throw createAliasError(order, now.symref);
  if (now.commit !== undefined && (await contains(repository, now.commit, commit))) return true;
  if (now.commit !== undefined && now.commit !== order.parent) throw branchMoved(order);
  await refuseCheckedOut(repository, ref, order);
  const old = now.commit ?? "0".repeat(commit.length);
  const args = ["update-ref", "--no-deref", "-m", `signalbox: commit of run ${order.run}`, ref, commit, old];
  const swapped = await repository.ask(args, { env: NEUTRAL_IDENTITY, answers: [128] });
  if (swapped.code === 0) return true;
  if ((await branchNow(repository, ref)).commit !== now.commit) return false;
  if (/\.lock': File exists/.test(swapped.err)) throw createLockedError(ref, swapped.err);
  throw createCommitRefusedError(
    order,
    `git refused to move it: ${swapped.err.trim()}`,
    "Fix the problem that git reports, then run `signalbox resume`.",
  );
}

export async function branchNow(repository: Repository, ref: string): Promise<{ commit?: string; symref: string }> {
  const format = "--format=%(refname) %(objectname) %(symref)";
  const rows = line(await repository.ask(["for-each-ref", format, ref])).split("\n");
  // The pattern also matches refs below the name.
  const [, commit, symref = ""] = rows.find((row) => row.startsWith(`${ref} `))?.split(" ") ?? [];
  return commit === undefined ? { symref } : { commit, symref };
}

export async function contains(repository: Repository, branch: string, commit: string): Promise<boolean> {
  if (branch === commit) return true;
  const answer = await repository.ask(["merge-base", "--is-ancestor", commit, branch], { answers: [1] });
  return answer.code === 0;
}

async function refuseCheckedOut(repository: Repository, ref: string, order: CommitOrder): Promise<void> {
  const { out } = await repository.ask(["worktree", "list", "--porcelain", "-z"]);
  if (!records(out).some((row) => row.toString("utf8") === `branch ${ref}`)) return;
  throw createCommitRefusedError(
    order,
    "it is checked out, and a run never moves a checked-out branch",
    `Switch to another branch, or let the run commit to its own branch signalbox/${order.run}.`,
  );
}

export async function refOf(store: Store, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  if (branch.startsWith("-") || branch === "HEAD") throw createInvalidRefError(`branch "${branch}"`);
  await needsRef(store, { ref, given: `branch "${branch}"` });
  return ref;
}

export async function needsRef(store: Store, { ref, given }: { ref: string; given: string }): Promise<void> {
  const valid = !ref.includes("\0") && (await store.ask(["check-ref-format", ref], { answers: [1] })).code === 0;
  if (!valid) throw createInvalidRefError(given);
}

function createInvalidRefError(given: string): SignalboxError {
  const hint =
    "Use letters, digits, `-`, `_`, `.` and `/`, not starting with `-`; see `git check-ref-format` for the rules.";
  return new SignalboxError("INPUT_INVALID", `The name of ${given} is not a valid git ref name`, hint);
}

/**
 * The lock's owner will release it or has left it behind. This is a problem of the machine, so the run is suspended.
 */
function createLockedError(ref: string, output: string): SignalboxError {
  return new SignalboxError(
    "GIT_FAILED",
    `git could not move ${ref}, because another process has locked it: ${output.trim()}`,
    "Wait for it to finish, or remove the .lock file that it left; then run `signalbox resume`.",
  );
}

export function branchMoved(order: CommitOrder): SignalboxError {
  return createCommitRefusedError(
    order,
    `it no longer points to ${order.parent.slice(0, 12)}, the commit that this work started from`,
    "Start a new run from the branch's current commit, or reset the branch and resume this run; its tree is kept.",
  );
}

function createAliasError(order: CommitOrder, symref: string): SignalboxError {
  return createCommitRefusedError(order, `it is an alias of ${symref}`, "Use the name of the actual branch.");
}

function createCommitRefusedError(order: CommitOrder, because: string, hint: string): SignalboxError {
  return new SignalboxError(
    "COMMIT_REFUSED",
    `Run ${order.run} did not commit to branch ${order.branch}: ${because}`,
    hint,
  );
}
