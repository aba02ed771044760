import { SignalboxError } from "../../core/failure/errors.ts";
import { machineFailure } from "../../core/failure/machine-failure.ts";
import type { CheckoutMoved } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { identityAt } from "../attempt/identity.ts";
import { branchNow } from "../commit/commit.ts";
import { type CommitRange, commitRange } from "../read/commit-range.ts";
import { line } from "../repository/git.ts";
import { withIndexLock } from "../repository/index-lock.ts";
import type { Store } from "../repository/store.ts";
import type { CurrentBranch } from "./current-branch.ts";
import { needsFreeSpace } from "./free-space.ts";
import { needsPlain } from "./preconditions.ts";
import { type Obstacle, rehearseCheckout, updateCheckout } from "./update-checkout.ts";

export type BranchMove = {
  readonly at: CurrentBranch;
  readonly to: string;
  readonly run: string;
  readonly date: number;
  readonly kept: readonly string[];
  /** For the branch's reflog: what was done. */
  readonly deed: "land" | "revert";
  /** What a person could do instead. */
  readonly command: string;
};

/** Which call of a person moves the branch: the same one finishes what was cut off. */
export type MoveCall = Pick<BranchMove, "deed" | "run">;

export type MoveResult = { readonly paths: readonly string[]; readonly checkout: CheckoutMoved };

/** Written together with the move of the branch, removed when the checkout has followed. */
type Note = Pick<CommitRange, "from" | "to" | "kept">;

/** How often somebody else may move the branch meanwhile before we give up. */
const TRIES = 8;

const UP_TO_DATE = { updated: true } as const;

/**
 * Looks, decides and moves, and all of it again when the branch moved in between: a decision is about the very commit
 * that it saw.
 */
export async function retryMove<T>(branch: string, decide: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const result = await decide();
    if (result !== undefined) return result;
  }
  throw new SignalboxError(
    "BRANCH_MOVED",
    `Branch ${branch} was moved by somebody else each of the ${TRIES} times that it was tried; nothing was changed`,
    "Try again when nobody else commits or pushes there.",
  );
}

/** First the branch, by compare and swap, then the checkout. Undefined when the branch moved under our hands. */
export async function moveBranch(store: Store, move: BranchMove): Promise<MoveResult | undefined> {
  const { at, to, kept } = move;
  const range = await commitRange(store, { from: at.tip, to, kept });
  await needsPlain(store, { span: range, branch: at.branch, command: move.command });
  const note = await withIndexLock(store.repository, async () => {
    const obstacle = await rehearseCheckout(store, range, { finishing: false });
    if (obstacle !== undefined) throw dirty(obstacle, at.branch);
    await needsFreeSpace(store, range, at.branch);
    const written = await swap(store, move);
    return written === undefined ? undefined : { id: written, checkout: await bringUp(store, range, move) };
  });
  if (note === undefined) return undefined;
  await forgetDone(store, at, note);
  return { paths: range.changes.map(({ path }) => path), checkout: note.checkout };
}

/** Finishes the move that an interrupted call, of whatever run, has begun on this branch. */
export async function finishMove(store: Store, at: CurrentBranch, call: MoveCall): Promise<CheckoutMoved> {
  const found = await noteOf(store, at);
  if (found === undefined) return UP_TO_DATE;
  const { id, note } = found;
  if (note.to === at.tip) {
    const range = await commitRange(store, note);
    const checkout = await withIndexLock(store.repository, () => bringUp(store, range, call));
    await forgetDone(store, at, { id, checkout });
    return checkout;
  }
  // The branch never got there, or its owner has gone on from it: then the files are theirs.
  await forget(store, at, id);
  return UP_TO_DATE;
}

/** A new move on top of an unfinished one would leave files behind that nobody knows of. */
export function needsUpToDate(checkout: CheckoutMoved, branch: string): void {
  if (checkout.updated) return;
  if (checkout.cause === "machine") {
    throw new SignalboxError(
      "DISK_FAILED",
      `The checkout of ${branch} has not followed the last move of its branch: ${checkout.because}`,
      `Repair what is named, or free space; then run \`${checkout.command}\`.`,
    );
  }
  throw new SignalboxError(
    "CHECKOUT_DIRTY",
    `The checkout of ${branch} has not followed the last move of its branch: ${checkout.because}`,
    `Put these changes aside, run \`${checkout.command}\`, then try again.`,
  );
}

/** The branch has moved: whatever fails from here on is returned, with the call that finishes it. */
async function bringUp(store: Store, range: CommitRange, { deed, run }: MoveCall): Promise<CheckoutMoved> {
  const again = `signalbox ${deed} ${run}`;
  try {
    const { obstacle, completed } = await updateCheckout(store, range, { finishing: true });
    if (obstacle === undefined) return completed.length > 0 ? { ...UP_TO_DATE, completed } : UP_TO_DATE;
    const { cause } = obstacle;
    const command = cause === "edits" ? `git read-tree -m -u ${range.from} ${range.to}` : again;
    return { updated: false, cause, because: said(obstacle), command };
  } catch (error) {
    const failure = machineFailure(error, store.repository.top);
    if (!failure) throw error;
    return { updated: false, cause: "machine", because: failure.message, command: again };
  }
}

/** One transaction: the note, whose id is returned, is there if and only if the branch has moved. */
async function swap(store: Store, { at, to, kept, run, date, deed }: BranchMove): Promise<string | undefined> {
  const { repository } = store;
  const note: Note = { from: at.tip, to, kept };
  const id = line(await store.ask(["hash-object", "-w", "--stdin"], { input: JSON.stringify(note) }));
  const input = `create ${noteRef(at)}\0${id}\0option no-deref\0update ${at.ref}\0${to}\0${at.tip}\0`;
  const args = ["update-ref", "-z", "-m", `signalbox: ${deed} of run ${run}`, "--stdin"];
  const swapped = await repository.ask(args, { input, env: identityAt(date), answers: [128] });
  if (swapped.code === 0) return id;
  const moved = (await branchNow(repository, at.ref)).commit !== at.tip;
  if (moved || (await noteOf(store, at)) !== undefined) return undefined;
  throw new SignalboxError(
    "BRANCH_MOVED",
    `Git did not move branch ${at.branch}: ${swapped.err.trim()}`,
    "Remove what is in the way, then try again.",
  );
}

async function noteOf(store: Store, at: CurrentBranch): Promise<{ id: string; note: Note } | undefined> {
  const asked = await store.repository.ask(["rev-parse", "-q", "--verify", noteRef(at)], { answers: [1] });
  const id = line(asked);
  if (id === "") return undefined;
  const { out } = await store.ask(["cat-file", "blob", id]);
  // Written by `swap` alone, under a name of ours.
  return { id, note: JSON.parse(out.toString("utf8")) as Note };
}

/** After the lock is released: as long as the note is there, the next call looks whether a lock was left. */
async function forgetDone(store: Store, at: CurrentBranch, note: { id: string; checkout: CheckoutMoved }) {
  if (note.checkout.updated) await forget(store, at, note.id);
}

async function forget(store: Store, at: CurrentBranch, id: string): Promise<void> {
  // Somebody who finished the same move has removed it before us, perhaps.
  await store.repository.ask(["update-ref", "-d", noteRef(at), id], { answers: [1, 128] });
}

/** Hashed, because the name of one branch may be a folder of another's. Runs have no upper-case letters. */
function noteRef({ ref }: CurrentBranch): string {
  return `refs/signalbox/MOVE/${sha256(ref).slice(0, 16)}`;
}

function dirty(obstacle: Obstacle, branch: string): SignalboxError {
  return new SignalboxError(
    "CHECKOUT_DIRTY",
    `The checkout of ${branch} was not touched: ${said(obstacle)}`,
    "Commit these changes or put them aside (`git stash -u`), then try again.",
  );
}

function said({ paths, because }: Obstacle): string {
  return paths.length === 0 ? because : `${because}: ${paths.join(", ")}`;
}
