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

/** Everything in the commit comes from the order, so the same order gives the same id; the branch moves at most once. */
export async function commitTree(store: Store, order: CommitOrder): Promise<CommitResult> {
  const ref = await refOf(store, order.branch);
  const commit = await writeCommit(store, { ...order, parents: [order.parent] });
  const made = { commit, branch: order.branch };
  if (await moves(store.repository, { ref, commit, order })) return made;
  // Somebody else moved the branch between the look and the swap: what it holds now decides.
  if (await moves(store.repository, { ref, commit, order })) return made;
  throw branchMoved(order);
}

/** Keeps the tree, and all it holds, from being collected. */
export async function pinTree(store: Store, run: string, tree: string): Promise<void> {
  const ref = `refs/signalbox/${run}/t/${needsId(tree)}`;
  // The engine's own ids are always fine: git need not be asked once more for every attempt.
  if (!PLAIN_NAME.test(run)) await needsRef(store, { ref, given: `run "${run}"` });
  await store.repository.ask(["update-ref", ref, tree]);
}

type NewCommit = Pick<CommitOrder, "run" | "tree" | "message" | "date"> & {
  readonly parents: readonly string[];
  readonly identity?: CommitOrder["identity"] | undefined;
};

/** An object only: no ref knows it yet. */
export async function writeCommit(store: Store, order: NewCommit): Promise<string> {
  const { run, tree, parents, message, date, identity } = order;
  const input = messageOf(message, run);
  const args = ["commit-tree", needsId(tree), ...parents.flatMap((parent) => ["-p", needsId(parent)]), "-F", "-"];
  return line(await store.ask(args, { env: identityAt(date, identity), input }));
}

type RefMove = { readonly ref: string; readonly commit: string; readonly order: CommitOrder };

/** True when the branch holds the commit afterwards; false when it changed under our hands. */
async function moves(repository: Repository, { ref, commit, order }: RefMove): Promise<boolean> {
  const now = await branchNow(repository, ref);
  if (now.symref !== "") throw branchIsAlias(order, now.symref);
  if (now.commit !== undefined && (await contains(repository, now.commit, commit))) return true;
  if (now.commit !== undefined && now.commit !== order.parent) throw branchMoved(order);
  await needsNoCheckout(repository, ref, order);
  const old = now.commit ?? "0".repeat(commit.length);
  const args = ["update-ref", "--no-deref", "-m", `signalbox: commit of run ${order.run}`, ref, commit, old];
  const swapped = await repository.ask(args, { env: NEUTRAL_IDENTITY, answers: [128] });
  if (swapped.code === 0) return true;
  if ((await branchNow(repository, ref)).commit !== now.commit) return false;
  if (/\.lock': File exists/.test(swapped.err)) throw locked(ref, swapped.err);
  throw refused(order, `git did not move it: ${swapped.err.trim()}`, "Remove what is in the way, then resume the run.");
}

export async function branchNow(repository: Repository, ref: string): Promise<{ commit?: string; symref: string }> {
  const format = "--format=%(refname) %(objectname) %(symref)";
  const rows = line(await repository.ask(["for-each-ref", format, ref])).split("\n");
  // The pattern also finds what lies below the name.
  const [, commit, symref = ""] = rows.find((row) => row.startsWith(`${ref} `))?.split(" ") ?? [];
  return commit === undefined ? { symref } : { commit, symref };
}

export async function contains(repository: Repository, branch: string, commit: string): Promise<boolean> {
  if (branch === commit) return true;
  const answer = await repository.ask(["merge-base", "--is-ancestor", commit, branch], { answers: [1] });
  return answer.code === 0;
}

async function needsNoCheckout(repository: Repository, ref: string, order: CommitOrder): Promise<void> {
  const { out } = await repository.ask(["worktree", "list", "--porcelain", "-z"]);
  if (!records(out).some((row) => row.toString("utf8") === `branch ${ref}`)) return;
  throw refused(
    order,
    "it is checked out, and a checkout is never moved behind its owner's back",
    `Switch to another branch, or let the run commit to its own: signalbox/${order.run}.`,
  );
}

export async function refOf(store: Store, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  if (branch.startsWith("-") || branch === "HEAD") throw invalidRef(`branch "${branch}"`);
  await needsRef(store, { ref, given: `branch "${branch}"` });
  return ref;
}

export async function needsRef(store: Store, { ref, given }: { ref: string; given: string }): Promise<void> {
  const valid = !ref.includes("\0") && (await store.ask(["check-ref-format", ref], { answers: [1] })).code === 0;
  if (!valid) throw invalidRef(given);
}

function invalidRef(given: string): SignalboxError {
  const hint =
    "Use letters, digits, `-`, `_`, `.` and `/`, not starting with `-`; `git check-ref-format` has the rules.";
  return new SignalboxError("INPUT_INVALID", `The name of ${given} is not one that git accepts`, hint);
}

/** Whoever holds it lets it go, or has left it behind: the machine's to cure, and the run rests until then. */
function locked(ref: string, said: string): SignalboxError {
  return new SignalboxError(
    "GIT_FAILED",
    `git did not move ${ref}, which another process has locked: ${said.trim()}`,
    "Let it finish, or remove the .lock file that it left; then `signalbox resume` goes on.",
  );
}

export function branchMoved(order: CommitOrder): SignalboxError {
  return refused(
    order,
    `it moved away from ${order.parent.slice(0, 12)}, the commit that this work started from`,
    "Start a new run from where the branch is now, or put the branch back and resume this one; the tree is kept.",
  );
}

function branchIsAlias(order: CommitOrder, symref: string): SignalboxError {
  return refused(order, `it is another name for ${symref}`, "Name the branch that is meant.");
}

function refused(order: CommitOrder, because: string, hint: string): SignalboxError {
  return new SignalboxError(
    "COMMIT_REFUSED",
    `Run ${order.run} did not commit to branch ${order.branch}: ${because}`,
    hint,
  );
}
