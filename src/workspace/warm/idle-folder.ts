import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { getBootId } from "../../node/process-identity.ts";
import { isUnowned, listNotes, WARM, writeNote } from "../attempt/attempt-note.ts";
import { discard, moveIfPresent, removeRecords } from "../attempt/discard.ts";
import { isHeld } from "../attempt/owner.ts";
import { type GitStore, runInBackground } from "../repository/git-store.ts";
import { type CarriedSetup, takeOutSetup } from "./carried-setup.ts";
import { readIndexFile } from "./index-file.ts";
import { moveUnchanged } from "./move-unchanged.ts";
import { type FolderStamps, formatIdentity, stampFolders, statPath, waitForClockTick } from "./stamps.ts";

/** A checkout, and the facts that must still hold for reusing it. */
export type IdleFolder = {
  readonly dir: string;
  readonly tree: string;
  /** The engine's own index, which no agent can reach. */
  readonly index: string;
  readonly folders: FolderStamps;
  /** Identifies the folder, to detect a replacement. */
  readonly top: string;
  /** The set-up that was in the checkout, or that the last attempt did not use. */
  readonly setup?: CarriedSetup;
};

/** About the usual number of concurrent agents. */
const MOST_IDLE = 4;

export function getIndexPath(store: GitStore, dir: string, tree: string): string {
  return join(store.dir, "scratch", `${basename(dir)}.${tree}.index`);
}

type StampedCheckout = Pick<IdleFolder, "dir" | "tree" | "index">;

/**
 * Stamps a checkout before work starts, so that later changes can be detected. Returns undefined if the checkout is too
 * small or changes could not be detected.
 */
export async function stampFolder(
  store: GitStore,
  { dir, tree, index }: StampedCheckout,
): Promise<IdleFolder | undefined> {
  const entries = await readIndexFile(index, store.repository.objectFormat);
  if (entries === undefined || entries.length < store.warmFrom) return undefined;
  const folders = await stampFolders(dir, entries);
  const top = readTopIdentity(dir);
  if (top === undefined || !(await waitForClockTick(join(store.dir, "scratch")))) return undefined;
  return { dir, tree, index, folders, top };
}

/** Retires a folder after its user and all child processes have ended; its renewal runs in the background. */
export async function retireFolder(store: GitStore, used: IdleFolder): Promise<void> {
  if (store.idle.length >= MOST_IDLE) return discardBoth(store, used);
  const old = await moveAside(store, used);
  if (old) store.idle.push(runInBackground(store, renewFolder(store, old)));
}

async function discardBoth(store: GitStore, { dir, setup }: IdleFolder): Promise<void> {
  await discard(store, dir);
  if (setup?.waits !== undefined) await discard(store, setup.waits);
}

/** Renames it to an unknown name, so that the former user can no longer access it. */
async function moveAside(store: GitStore, used: IdleFolder): Promise<IdleFolder | undefined> {
  const dir = join(store.attempts, `warm-${randomUUID()}`);
  const index = getIndexPath(store, dir, used.tree);
  await writeNote(store, { dir, name: WARM });
  await rename(used.index, index);
  const isMoved = await moveIfPresent(used.dir, dir);
  await removeRecords(store, used.dir);
  if (isMoved) return { ...used, dir, index };
  await removeRecords(store, dir);
  return undefined;
}

/**
 * Rebuilds the same tree in a new folder: unchanged files are moved, git writes the rest, and what an agent left is
 * removed with the old folder.
 */
async function renewFolder(store: GitStore, old: IdleFolder): Promise<IdleFolder | undefined> {
  const dir = join(store.attempts, `warm-${randomUUID()}`);
  const index = getIndexPath(store, dir, old.tree);
  try {
    await writeNote(store, { dir, name: WARM });
    const entries = await readIndexFile(old.index, store.repository.objectFormat);
    if (entries === undefined || readTopIdentity(old.dir) !== old.top || isHeld(old.dir))
      throw new Error("the folder cannot be trusted");
    await mkdir(dir, { mode: 0o700 });
    const missing = await moveUnchanged({ from: old.dir, to: dir, entries, folders: old.folders });
    await rename(old.index, index);
    if (missing.length > 0) await writePaths(store, { dir, index, paths: missing });
    const setup = old.setup && (await takeOutSetup(store, old.dir, old.setup));
    await discard(store, old.dir);
    const idle = await stampFolder(store, { dir, tree: old.tree, index });
    if (!idle) throw new Error("later changes could not be detected");
    await writeFile(getStampFile(store, dir), serializeStamps(idle));
    return setup ? { ...idle, setup } : idle;
  } catch {
    // After any problem the next attempt gets a new checkout.
    await Promise.all([discardBoth(store, old), discard(store, dir)]).catch(() => undefined);
    return undefined;
  }
}

async function writePaths(
  store: GitStore,
  { dir, index, paths }: { dir: string; index: string; paths: readonly string[] },
) {
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
  const input = paths.map((path) => `${path}\0`).join("");
  const args = ["-c", "core.fsync=none", "checkout-index", "--force", "--quiet", "-u", "-z", "--stdin"];
  await store.ask(args, { cwd: dir, env, input });
}

/**
 * Takes an idle folder; undefined if there is none. Without file confinement it is checked again, because another agent
 * could have changed it.
 */
export async function takeIdleFolder(
  store: GitStore,
  { files }: { readonly files: boolean },
): Promise<IdleFolder | undefined> {
  for (let next = store.idle.shift(); next !== undefined; next = store.idle.shift()) {
    const idle = await next;
    const sure = idle && !files ? await renewFolder(store, idle) : idle;
    if (sure) return sure;
  }
  return takeUnownedFolder(store);
}

/** Takes a folder of a process that is gone. The first process to move its index gets it. */
async function takeUnownedFolder(store: GitStore): Promise<IdleFolder | undefined> {
  for (const note of await listNotes(store)) {
    if (note.name !== WARM || !isUnowned(note)) continue;
    const left = await readStamps(store, note.dir);
    if (!left) await discard(store, note.dir);
    const ours = left && (await moveAside(store, left).catch(() => undefined));
    const sure = ours && (await renewFolder(store, ours));
    if (sure) return sure;
  }
  return undefined;
}

const getStampFile = (store: GitStore, dir: string): string => join(store.dir, "scratch", `${basename(dir)}.folders`);

function serializeStamps({ tree, top, folders }: IdleFolder): string {
  return JSON.stringify({ boot: getBootId(), tree, top, folders: [...folders] });
}

/** Returns undefined if it was not ready, and after a reboot, because some of it may not have reached the disk. */
async function readStamps(store: GitStore, dir: string): Promise<IdleFolder | undefined> {
  try {
    // Written by `serializeStamps` only.
    const read = JSON.parse(await readFile(getStampFile(store, dir), "utf8")) as StampText;
    if (read.boot !== getBootId()) return undefined;
    return {
      dir,
      tree: read.tree,
      index: getIndexPath(store, dir, read.tree),
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

function readTopIdentity(dir: string): string | undefined {
  const there = statPath(dir);
  return there?.isDirectory() ? formatIdentity(there) : undefined;
}
