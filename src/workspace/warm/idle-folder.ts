import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { bootId } from "../../node/process-identity.ts";
import { attemptNotes, isLeft, noteAttempt, WARM } from "../attempt/attempt-note.ts";
import { discard, forget, moved } from "../attempt/discard.ts";
import { isHeld } from "../attempt/owner.ts";
import { inBackground, type Store } from "../repository/store.ts";
import { type CarriedSetup, takenOut } from "./carried-setup.ts";
import { carryOver } from "./carry-over.ts";
import { readIndexFile } from "./index-file.ts";
import { clockTicked, type FolderStamps, folderStamps, identityOf, lookAt } from "./stamps.ts";

/** A checkout, and what must still be true of it for another to get it. */
export type IdleFolder = {
  readonly dir: string;
  readonly tree: string;
  /** The engine's own, where no agent reaches it. */
  readonly index: string;
  readonly folders: FolderStamps;
  /** Tells the folder itself from another in its place. */
  readonly top: string;
  /** What lay beside the tree, or was not wanted by the last one. */
  readonly setup?: CarriedSetup;
};

/** As many as agents usually work at the same time. */
const MOST_IDLE = 4;

export function indexOf(store: Store, dir: string, tree: string): string {
  return join(store.dir, "scratch", `${basename(dir)}.${tree}.index`);
}

type Checkout = Pick<IdleFolder, "dir" | "tree" | "index">;

/**
 * Before anybody works in it: what is found otherwise afterwards was done since. Undefined where it is not worth it, or
 * could not be told.
 */
export async function stamped(store: Store, { dir, tree, index }: Checkout): Promise<IdleFolder | undefined> {
  const entries = await readIndexFile(index, store.repository.objectFormat);
  if (entries === undefined || entries.length < store.warmFrom) return undefined;
  const folders = await folderStamps(dir, entries);
  const top = topOf(dir);
  if (top === undefined || !(await clockTicked(join(store.dir, "scratch")))) return undefined;
  return { dir, tree, index, folders, top };
}

/** By whoever worked in it, when that one has ended with all that it started; nobody waits for what is done to it. */
export async function retire(store: Store, used: IdleFolder): Promise<void> {
  if (store.idle.length >= MOST_IDLE) return discardBoth(store, used);
  const old = await aside(store, used);
  if (old) store.idle.push(inBackground(store, renewed(store, old)));
}

async function discardBoth(store: Store, { dir, setup }: IdleFolder): Promise<void> {
  await discard(store, dir);
  if (setup?.waits !== undefined) await discard(store, setup.waits);
}

/** Under a name that nobody knows: whoever had it finds nothing any more. */
async function aside(store: Store, used: IdleFolder): Promise<IdleFolder | undefined> {
  const dir = join(store.attempts, `warm-${randomUUID()}`);
  const index = indexOf(store, dir, used.tree);
  await noteAttempt(store, { dir, name: WARM });
  await rename(used.index, index);
  const isMoved = await moved(used.dir, dir);
  await forget(store, used.dir);
  if (isMoved) return { ...used, dir, index };
  await forget(store, dir);
  return undefined;
}

/**
 * The same tree in a new folder: what is as it was is moved there, git lays the rest, and what an agent left is removed
 * with the old one.
 */
async function renewed(store: Store, old: IdleFolder): Promise<IdleFolder | undefined> {
  const dir = join(store.attempts, `warm-${randomUUID()}`);
  const index = indexOf(store, dir, old.tree);
  try {
    await noteAttempt(store, { dir, name: WARM });
    const entries = await readIndexFile(old.index, store.repository.objectFormat);
    if (entries === undefined || topOf(old.dir) !== old.top || isHeld(old.dir)) throw new Error("not to be trusted");
    await mkdir(dir, { mode: 0o700 });
    const missing = await carryOver({ from: old.dir, to: dir, entries, folders: old.folders });
    await rename(old.index, index);
    if (missing.length > 0) await lay(store, { dir, index, paths: missing });
    const setup = old.setup && (await takenOut(store, old.dir, old.setup));
    await discard(store, old.dir);
    const idle = await stamped(store, { dir, tree: old.tree, index });
    if (!idle) throw new Error("not to be told apart");
    await writeFile(stampFile(store, dir), textOf(idle));
    return setup ? { ...idle, setup } : idle;
  } catch {
    // Whatever is wrong with it, the next one gets a new checkout.
    await Promise.all([discardBoth(store, old), discard(store, dir)]).catch(() => undefined);
    return undefined;
  }
}

async function lay(store: Store, { dir, index, paths }: { dir: string; index: string; paths: readonly string[] }) {
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
  const input = paths.map((path) => `${path}\0`).join("");
  const args = ["-c", "core.fsync=none", "checkout-index", "--force", "--quiet", "-u", "-z", "--stdin"];
  await store.ask(args, { cwd: dir, env, input });
}

/**
 * One that nobody works in; undefined where there is none. Where files are open to everybody, it is looked at once more:
 * another agent could have found it.
 */
export async function takeIdle(store: Store, { files }: { readonly files: boolean }): Promise<IdleFolder | undefined> {
  for (let next = store.idle.shift(); next !== undefined; next = store.idle.shift()) {
    const idle = await next;
    const sure = idle && !files ? await renewed(store, idle) : idle;
    if (sure) return sure;
  }
  return takeLeft(store);
}

/** One of a process that is gone. Whoever moves its index first has it. */
async function takeLeft(store: Store): Promise<IdleFolder | undefined> {
  for (const note of await attemptNotes(store)) {
    if (note.name !== WARM || !isLeft(note)) continue;
    const left = await readStamps(store, note.dir);
    if (!left) await discard(store, note.dir);
    const ours = left && (await aside(store, left).catch(() => undefined));
    const sure = ours && (await renewed(store, ours));
    if (sure) return sure;
  }
  return undefined;
}

const stampFile = (store: Store, dir: string): string => join(store.dir, "scratch", `${basename(dir)}.folders`);

function textOf({ tree, top, folders }: IdleFolder): string {
  return JSON.stringify({ boot: bootId(), tree, top, folders: [...folders] });
}

/** Undefined for one that was not ready, and after a restart of the machine: not all of it may have reached the disk. */
async function readStamps(store: Store, dir: string): Promise<IdleFolder | undefined> {
  try {
    // Written by `textOf` alone.
    const read = JSON.parse(await readFile(stampFile(store, dir), "utf8")) as StampText;
    if (read.boot !== bootId()) return undefined;
    return {
      dir,
      tree: read.tree,
      index: indexOf(store, dir, read.tree),
      folders: new Map(read.folders),
      top: read.top,
    };
  } catch {
    return undefined;
  }
}

type StampText = Pick<IdleFolder, "tree" | "top"> & {
  readonly boot: string;
  readonly folders: readonly (readonly [string, string])[];
};

function topOf(dir: string): string | undefined {
  const there = lookAt(dir);
  return there?.isDirectory() ? identityOf(there) : undefined;
}
