import type { FileContent } from "../../core/authoring/observations.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { sha256 } from "../../node/digest.ts";
import { renderFiles } from "../attempt/render-files.ts";
import { listTreeEntries, readTreeFile } from "../read/files.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requirePathInside } from "../repository/path-inside.ts";
import {
  type CheckoutRecord,
  createMissingCheckoutError,
  formatCheckoutRef,
  type RunCheckout,
  readCheckout,
  writeCheckout,
} from "./checkout-record.ts";
import { listHiddenPaths } from "./hidden-paths.ts";
import type { ObjectTravel } from "./travel.ts";

/** How often another process may write between the check and the swap. */
const TRIES = 5;

/** Reads the current checkout from the remote. */
export async function fetchCheckout({ store, remote, objects }: ObjectTravel): Promise<RunCheckout> {
  const ref = formatCheckoutRef(objects.run);
  if (!(await remote.fetch([`+${ref}:${ref}`]))) throw createMissingCheckoutError(objects.run);
  const id = getLine(await store.repository.ask(["rev-parse", "--verify", ref]));
  const now = await readCheckout(store, objects.run, id);
  // The commit is the parent of the checkout, so it was fetched with it.
  for (const each of [now.head.commit, now.head.tree]) objects.carried.set(each, now.head.commit);
  return now;
}

export type CheckoutWrite = { readonly path: string; readonly text: string; readonly ifHash?: string | undefined };
/** `fetch` reads the checkout again after another writer was faster. */
type CheckoutSwap = CheckoutWrite & { readonly fetch: () => Promise<RunCheckout> };

/**
 * Writes by compare and swap on the remote: the file has its old or its new content, and concurrent writes both succeed
 * or one is refused.
 */
export async function writeToCheckout(
  travel: ObjectTravel,
  from: RunCheckout,
  swap: CheckoutSwap,
): Promise<RunCheckout> {
  const { fetch, ...write } = swap;
  let now = from;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const next = await applyWrite(travel.store, now, write);
    if (next === undefined) return now;
    const { run } = travel.objects;
    const record = { ...next.record, begun: now.begun ?? now.id };
    const id = await writeCheckout(travel.store, { run, tree: next.tree, parent: now.id, record });
    const ref = formatCheckoutRef(run);
    const outcomes = await travel.remote.push([{ ref, from: now.id, to: id }]);
    if (outcomes.get(ref) === "done") {
      await travel.store.repository.ask(["update-ref", ref, id]);
      return { ...record, id, tree: next.tree };
    }
    now = await fetch();
  }
  throw new SignalboxError(
    "WRITE_REFUSED",
    `${write.path} was not written: the run's checkout on the git remote was changed by another process during each of ${TRIES} attempts`,
    "Check which other process drives the run with `signalbox status`, then resume it.",
  );
}

type WrittenTree = { readonly tree: string; readonly record: CheckoutRecord };

/** Returns undefined if the file has the new text already: an engine that died after writing it repeats the call. */
async function applyWrite(
  store: GitStore,
  now: RunCheckout,
  { path, text, ifHash }: CheckoutWrite,
): Promise<WrittenTree | undefined> {
  const inside = requirePathInside(path);
  await requirePlace(store, now, inside);
  const there = await readTreeFile(store, now.tree, inside);
  if (there?.hash === sha256(text)) return undefined;
  if (ifHash !== undefined && there?.hash !== ifHash) throw createEditedError(path, there);
  const tree = await renderFiles(store, now.tree, [{ path: inside, text }]);
  const same = (await readTreeFile(store, now.head.tree, inside))?.hash === sha256(text);
  const others = now.dirt.filter((each) => each !== inside);
  const isDirt = !same && !(await listHiddenPaths(store, now, [inside])).has(inside);
  const { id: _id, tree: _tree, ...record } = now;
  return { tree, record: { ...record, dirt: isDirt ? [...others, inside].sort() : others } };
}

/** Refuses what a checkout on disk would refuse too. */
async function requirePlace(store: GitStore, { tree }: RunCheckout, path: string): Promise<void> {
  const parts = path.split("/");
  const above = parts.slice(0, -1).map((_part, at) => parts.slice(0, at + 1).join("/"));
  const found = await listTreeEntries(store, [tree, "--", ...above, path]);
  const blocked = found.find((entry) => above.includes(entry.path) && entry.mode !== "040000");
  if (blocked) throw createCheckoutRefusedError(path, `${blocked.path} is not a folder`, "Use another path.");
  if (found.some((entry) => entry.path === path && entry.mode === "040000"))
    throw createCheckoutRefusedError(path, "it is a folder", "Use a file path.");
}

function createEditedError(path: string, there: FileContent): SignalboxError {
  const now = there === null ? "it was deleted" : "it was edited after the run read it";
  return createCheckoutRefusedError(path, now, "Keep the edit or undo it, then resume the run.");
}

function createCheckoutRefusedError(path: string, because: string, hint: string): SignalboxError {
  return new SignalboxError("WRITE_REFUSED", `${path} was not written: ${because}`, hint);
}
