import { SignalboxError } from "../../core/failure/errors.ts";
import type { CommitOrder } from "../../core/ports/workspace.ts";
import { createIdentity, NEUTRAL_IDENTITY } from "../attempt/identity.ts";
import { formatCommitMessage } from "../repository/commit-message.ts";
import { getLine, splitRecords } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import type { Repository } from "../repository/repository.ts";

const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export type CommitResult = { readonly commit: string; readonly branch: string };

/** The commit depends only on the order, so the same order gives the same id. The branch moves at most once. */
export async function commitTree(store: GitStore, order: CommitOrder): Promise<CommitResult> {
  const ref = await requireBranchRef(store, order.branch);
  const commit = await writeCommit(store, { ...order, parents: [order.parent] });
  const made = { commit, branch: order.branch };
  if (await moveRef(store.repository, { ref, commit, order })) return made;
  // Another process moved the branch between the check and the swap, so it is checked again.
  if (await moveRef(store.repository, { ref, commit, order })) return made;
  throw createBranchMovedError(order);
}

/** Protects the tree and its objects from garbage collection. */
export async function pinTree(store: GitStore, run: string, tree: string): Promise<void> {
  const ref = `refs/signalbox/${run}/t/${requireId(tree)}`;
  // The engine's own ids are always valid, which saves a git call per attempt.
  if (!PLAIN_NAME.test(run)) await requireRef(store, { ref, given: `run "${run}"` });
  await store.repository.ask(["update-ref", ref, tree]);
}

type NewCommit = Pick<CommitOrder, "run" | "tree" | "message" | "date"> & {
  readonly parents: readonly string[];
  readonly identity?: CommitOrder["identity"] | undefined;
};

/** Creates only the object; no ref points to it yet. */
export async function writeCommit(store: GitStore, order: NewCommit): Promise<string> {
  const { run, tree, parents, message, date, identity } = order;
  const input = formatCommitMessage(message, run);
  const args = ["commit-tree", requireId(tree), ...parents.flatMap((parent) => ["-p", requireId(parent)]), "-F", "-"];
  return getLine(await store.ask(args, { env: createIdentity(date, identity), input }));
}

type RefMove = { readonly ref: string; readonly commit: string; readonly order: CommitOrder };

/** Returns true if the branch contains the commit afterwards, false if it was moved concurrently. */
async function moveRef(repository: Repository, { ref, commit, order }: RefMove): Promise<boolean> {
  const now = await readBranchRef(repository, ref);
  if (now.symref !== "") throw createAliasError(order, now.symref);
  if (now.commit !== undefined && (await containsCommit(repository, now.commit, commit))) return true;
  if (now.commit !== undefined && now.commit !== order.parent) throw createBranchMovedError(order);
  await refuseCheckedOut(repository, ref, order);
  const old = now.commit ?? "0".repeat(commit.length);
  const args = ["update-ref", "--no-deref", "-m", `signalbox: commit of run ${order.run}`, ref, commit, old];
  const swapped = await repository.ask(args, { env: NEUTRAL_IDENTITY, answers: [128] });
  if (swapped.code === 0) return true;
  if ((await readBranchRef(repository, ref)).commit !== now.commit) return false;
  if (/\.lock': File exists/.test(swapped.err)) throw createLockedError(ref, swapped.err);
  throw createCommitRefusedError(
    order,
    `git refused to move it: ${swapped.err.trim()}`,
    "Fix the problem that git reports, then run `signalbox resume`.",
  );
}

export async function readBranchRef(repository: Repository, ref: string): Promise<{ commit?: string; symref: string }> {
  const format = "--format=%(refname) %(objectname) %(symref)";
  const rows = getLine(await repository.ask(["for-each-ref", format, ref])).split("\n");
  // The pattern also matches refs below the name.
  const [, commit, symref = ""] = rows.find((row) => row.startsWith(`${ref} `))?.split(" ") ?? [];
  return commit === undefined ? { symref } : { commit, symref };
}

export async function containsCommit(repository: Repository, branch: string, commit: string): Promise<boolean> {
  if (branch === commit) return true;
  const answer = await repository.ask(["merge-base", "--is-ancestor", commit, branch], { answers: [1] });
  return answer.code === 0;
}

async function refuseCheckedOut(repository: Repository, ref: string, order: CommitOrder): Promise<void> {
  const { out } = await repository.ask(["worktree", "list", "--porcelain", "-z"]);
  if (!splitRecords(out).some((row) => row.toString("utf8") === `branch ${ref}`)) return;
  throw createCommitRefusedError(
    order,
    "it is checked out, and a run never moves a checked-out branch",
    `Switch to another branch, or let the run commit to its own branch signalbox/${order.run}.`,
  );
}

export async function requireBranchRef(store: GitStore, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  if (branch.startsWith("-") || branch === "HEAD") throw createInvalidRefError(`branch "${branch}"`);
  await requireRef(store, { ref, given: `branch "${branch}"` });
  return ref;
}

export async function requireRef(store: GitStore, { ref, given }: { ref: string; given: string }): Promise<void> {
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

export function createBranchMovedError(order: CommitOrder): SignalboxError {
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
