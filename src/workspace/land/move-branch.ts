import { SignalboxError } from "../../core/failure/errors.ts";
import { toMachineError } from "../../core/failure/machine-failure.ts";
import type { CheckoutUpdate } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { createIdentity } from "../attempt/identity.ts";
import { readBranchRef } from "../commit/commit.ts";
import { type CommitRange, readCommitRange } from "../read/commit-range.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { withIndexLock } from "../repository/index-lock.ts";
import type { CurrentBranch } from "./current-branch.ts";
import { requireFreeSpace } from "./free-space.ts";
import { requirePlainMove } from "./preconditions.ts";
import { type CheckoutObstacle, testUpdate, updateCheckout } from "./update-checkout.ts";

export type BranchMove = {
  readonly at: CurrentBranch;
  readonly to: string;
  readonly run: string;
  readonly date: number;
  readonly kept: readonly string[];
  /** For the branch's reflog. */
  readonly deed: "land" | "revert";
  /** The command that a person could run instead. */
  readonly command: string;
};

/** The command that moves the branch; running it again finishes an interrupted move. */
export type MoveCall = Pick<BranchMove, "deed" | "run">;

export type MoveResult = { readonly paths: readonly string[]; readonly checkout: CheckoutUpdate };

/** Created together with the move of the branch, removed when the checkout is up to date. */
type MoveNote = Pick<CommitRange, "from" | "to" | "kept">;

/** How often another process may move the branch before we give up. */
const TRIES = 8;

const UP_TO_DATE = { updated: true } as const;

/** Repeats the decision if the branch moved meanwhile, because a decision is about the commit that it read. */
export async function retryMove<T>(branch: string, decide: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const result = await decide();
    if (result !== undefined) return result;
  }
  throw new SignalboxError(
    "BRANCH_MOVED",
    `Branch ${branch} was moved by another process during each of ${TRIES} attempts; nothing was changed`,
    "Try again when no other process commits or pushes to it.",
  );
}

/**
 * Moves the branch by compare and swap, then updates the checkout. Returns undefined if the branch was moved
 * concurrently.
 */
export async function moveBranch(store: GitStore, move: BranchMove): Promise<MoveResult | undefined> {
  const { at, to, kept } = move;
  const range = await readCommitRange(store, { from: at.tip, to, kept });
  await requirePlainMove(store, { span: range, branch: at.branch, command: move.command });
  const note = await withIndexLock(store.repository, async () => {
    const obstacle = await testUpdate(store, range, { finishing: false });
    if (obstacle !== undefined) throw createDirtyError(obstacle, at.branch);
    await requireFreeSpace(store, range, at.branch);
    const written = await swapBranch(store, move);
    return written === undefined ? undefined : { id: written, checkout: await bringCheckoutUp(store, range, move) };
  });
  if (note === undefined) return undefined;
  await removeDoneNote(store, at, note);
  return { paths: range.changes.map(({ path }) => path), checkout: note.checkout };
}

/** Finishes a move on this branch that an interrupted call of any run has started. */
export async function finishMove(store: GitStore, at: CurrentBranch, call: MoveCall): Promise<CheckoutUpdate> {
  const found = await readMoveNote(store, at);
  if (found === undefined) return UP_TO_DATE;
  const { id, note } = found;
  if (note.to === at.tip) {
    const range = await readCommitRange(store, note);
    const checkout = await withIndexLock(store.repository, () => bringCheckoutUp(store, range, call));
    await removeDoneNote(store, at, { id, checkout });
    return checkout;
  }
  // The branch never got there, or its owner has moved it on and owns the files.
  await removeNote(store, at, id);
  return UP_TO_DATE;
}

/** A new move on top of an unfinished one would leave untracked files behind. */
export function requireUpToDate(checkout: CheckoutUpdate, branch: string): void {
  if (checkout.updated) return;
  if (checkout.cause === "machine") {
    throw new SignalboxError(
      "DISK_FAILED",
      `The checkout of ${branch} was not updated after the last move of its branch: ${checkout.because}`,
      `Fix the reported problem, or free disk space; then run \`${checkout.command}\`.`,
    );
  }
  throw new SignalboxError(
    "CHECKOUT_DIRTY",
    `The checkout of ${branch} was not updated after the last move of its branch: ${checkout.because}`,
    `Commit or stash these changes, run \`${checkout.command}\`, then try again.`,
  );
}

/** The branch has moved, so failures are returned together with the command that finishes the move. */
async function bringCheckoutUp(store: GitStore, range: CommitRange, { deed, run }: MoveCall): Promise<CheckoutUpdate> {
  const again = `signalbox ${deed} ${run}`;
  try {
    const { obstacle, completed } = await updateCheckout(store, range, { finishing: true });
    if (obstacle === undefined) return completed.length > 0 ? { ...UP_TO_DATE, completed } : UP_TO_DATE;
    const { cause } = obstacle;
    const command = cause === "edits" ? `git read-tree -m -u ${range.from} ${range.to}` : again;
    return { updated: false, cause, because: formatObstacle(obstacle), command };
  } catch (error) {
    const failure = toMachineError(error, store.repository.top);
    if (!failure) throw error;
    return { updated: false, cause: "machine", because: failure.message, command: again };
  }
}

/** One transaction: the note exists if and only if the branch has moved. Returns its id. */
async function swapBranch(store: GitStore, { at, to, kept, run, date, deed }: BranchMove): Promise<string | undefined> {
  const { repository } = store;
  const note: MoveNote = { from: at.tip, to, kept };
  const id = getLine(await store.ask(["hash-object", "-w", "--stdin"], { input: JSON.stringify(note) }));
  const input = `create ${formatNoteRef(at)}\0${id}\0option no-deref\0update ${at.ref}\0${to}\0${at.tip}\0`;
  const args = ["update-ref", "-z", "-m", `signalbox: ${deed} of run ${run}`, "--stdin"];
  const swapped = await repository.ask(args, { input, env: createIdentity(date), answers: [128] });
  if (swapped.code === 0) return id;
  const moved = (await readBranchRef(repository, at.ref)).commit !== at.tip;
  if (moved || (await readMoveNote(store, at)) !== undefined) return undefined;
  throw new SignalboxError(
    "BRANCH_MOVED",
    `git did not move branch ${at.branch}: ${swapped.err.trim()}`,
    "Fix the problem that git reports, then try again.",
  );
}

async function readMoveNote(store: GitStore, at: CurrentBranch): Promise<{ id: string; note: MoveNote } | undefined> {
  const asked = await store.repository.ask(["rev-parse", "-q", "--verify", formatNoteRef(at)], { answers: [1] });
  const id = getLine(asked);
  if (id === "") return undefined;
  const { out } = await store.ask(["cat-file", "blob", id]);
  // Written by `swapBranch` only, under our own ref name.
  return { id, note: JSON.parse(out.toString("utf8")) as MoveNote };
}

/** Called after the lock is released: while the note exists, the next call checks for a leftover lock. */
async function removeDoneNote(store: GitStore, at: CurrentBranch, note: { id: string; checkout: CheckoutUpdate }) {
  if (note.checkout.updated) await removeNote(store, at, note.id);
}

async function removeNote(store: GitStore, at: CurrentBranch, id: string): Promise<void> {
  // Another process may have finished the same move and removed it.
  await store.repository.ask(["update-ref", "-d", formatNoteRef(at), id], { answers: [1, 128] });
}

/** Hashed, because a branch name may be a prefix folder of another's. Upper-case, which no run id is. */
function formatNoteRef({ ref }: CurrentBranch): string {
  return `refs/signalbox/MOVE/${sha256(ref).slice(0, 16)}`;
}

function createDirtyError(obstacle: CheckoutObstacle, branch: string): SignalboxError {
  return new SignalboxError(
    "CHECKOUT_DIRTY",
    `The checkout of ${branch} was not changed: ${formatObstacle(obstacle)}`,
    "Commit these changes or put them aside (`git stash -u`), then try again.",
  );
}

function formatObstacle({ paths, because }: CheckoutObstacle): string {
  return paths.length === 0 ? because : `${because}: ${paths.join(", ")}`;
}
