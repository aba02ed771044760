import { randomUUID } from "node:crypto";
import { copyFile, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Seizure, WorkFolder } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { removeFolder } from "../../node/remove-folder.ts";
import { layGitDir } from "../repository/own-git-dir.ts";
import { standstillsIn } from "../repository/standstills.ts";
import type { Store } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";
import { type AttemptNote, attemptNotes, belongsTo, isLeft, NOBODY, noteAttempt, noteFile } from "./attempt-note.ts";
import { BRANCH, ownHistory } from "./own-history.ts";
import { ownerMark } from "./owner.ts";

/** Where the engine keeps what it knows about the files it checked out; agents have a copy. */
export function indexOf(store: Store, dir: string, tree: string): string {
  return join(store.dir, "scratch", `${basename(dir)}.${tree}.index`);
}

/**
 * A repository of its own: fresh settings, refs and hooks; the user's objects are borrowed for reading.
 * Always a new directory, so a left-over of a crash is never mistaken for it nor removed with what it holds.
 * @rule A-12 (code) Each attempt works in a repository of its own; the user's stays byte for byte, and the checkout
 *   follows last and only where it is clean.
 */
export async function openAttempt(store: Store, { tree, name, base }: AttemptOrder): Promise<WorkFolder> {
  const id = needsId(tree);
  const dir = join(store.attempts, `${slug(name)}-${randomUUID().slice(0, 13)}`);
  const index = indexOf(store, dir, id);
  const { objects: borrowed, objectFormat } = store.repository;
  await noteAttempt(store, { dir, name });
  try {
    await mkdir(dir, { mode: 0o700 });
    await layGitDir(join(dir, ".git"), { objectFormat, borrowed, bare: false, branch: BRANCH });
    await Promise.all([
      ownHistory(store, dir, { start: id, base: base === undefined ? undefined : needsId(base) }),
      checkOut(store, { dir, tree: id, index }),
    ]);
    await copyFile(index, join(dir, ".git", "index"));
  } catch (error) {
    await discard(store, dir);
    throw error;
  }
  return openedIn(store, { dir, name, index });
}

type AttemptOrder = { readonly tree: string; readonly name: string; readonly base?: string | undefined };

/** One who was only paused would go on in it, and remove it in the end: it must be nobody's, or this process's own. */
export async function reopenAttempt(store: Store, dir: string, name: string): Promise<WorkFolder | undefined> {
  const note = await noteOf(store, dir);
  if (!note || (!isLeft(note) && note.owner !== ownerMark())) return undefined;
  return shareAttempt(store, dir, name);
}

/** Who opened it before finds another's mark when he wakes, and then neither removes nor leaves it. */
export async function shareAttempt(store: Store, dir: string, name: string): Promise<WorkFolder | undefined> {
  if (!(await noteOf(store, dir)) || !(await lstat(dir).catch(() => undefined))?.isDirectory()) return undefined;
  await noteAttempt(store, { dir, name });
  return openedIn(store, { dir, name, index: join(dir, ".git", "index") });
}

async function noteOf(store: Store, dir: string): Promise<AttemptNote | undefined> {
  return (await attemptNotes(store)).find((each) => each.dir === dir);
}

/**
 * From one who may only be paused. The folder goes to a name that nobody else knows, in one step: when its former owner
 * wakes, there is nothing left for it to change, to judge or to remove.
 */
export async function seizeAttempt(store: Store, { dir, name, announce }: Seizure): Promise<WorkFolder | undefined> {
  if (dirname(dir) !== store.attempts) return undefined;
  const taken = `${dir.replace(SEIZED, "")}~${randomUUID().slice(0, 8)}`;
  await noteAttempt(store, { dir: taken, name });
  await announce(taken);
  if (await moved(dir, taken)) return openedIn(store, { dir: taken, name, index: join(taken, ".git", "index") });
  await rm(noteFile(store, taken), { force: true });
  return undefined;
}

const SEIZED = /~[0-9a-f]{8}$/;

/** False where it is gone, or somebody else was quicker. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

type AttemptPaths = { readonly dir: string; readonly name: string; readonly index: string };

function openedIn(store: Store, { dir, name, index }: AttemptPaths): WorkFolder {
  return {
    dir,
    close: async () => {
      if (await isOurs(store, dir)) await discard(store, dir);
    },
    leave: async () => {
      if (await isOurs(store, dir)) await noteAttempt(store, { dir, name }, NOBODY);
    },
    // Of those that are as they were, git itself knows it.
    restore: async () => {
      // What a command left in git's way is nobody's; where it stands for a file of the tree, that one comes back.
      await Promise.all((await standstillsIn(dir)).map((path) => rm(join(dir, path), { force: true })));
      const env = { GIT_INDEX_FILE: index };
      await store.ask(["checkout-index", "--force", "--all", "--quiet"], { cwd: dir, about: dir, env });
    },
  };
}

/** What nobody has marked is his who opened it. */
async function isOurs(store: Store, dir: string): Promise<boolean> {
  const owner = (await noteOf(store, dir))?.owner ?? NOBODY;
  return owner === NOBODY || owner === ownerMark();
}

export async function abandonAttempts(store: Store, run: string): Promise<void> {
  const own = (await attemptNotes(store)).filter(({ name }) => belongsTo(name, run));
  await Promise.all(own.map(({ dir }) => discard(store, dir)));
}

async function checkOut(store: Store, { dir, tree, index }: { dir: string; tree: string; index: string }) {
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
  // Nothing here outlives a crash, so nothing is flushed.
  await store.ask(["-c", "core.fsync=none", "read-tree", "-m", "-u", tree], { cwd: dir, env });
}

function slug(name: string): string {
  const readable = name
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${readable}-${sha256(name).slice(0, 8)}`;
}

/**
 * In one step out of the way, so that nobody takes over what is half gone. The note goes last: as long as something is
 * left, somebody can find it.
 */
export async function discard(store: Store, dir: string): Promise<void> {
  const gone = `${dir}.gone`;
  // What a killed removal has left; a folder is moved only onto an empty one.
  await removeFolder(gone);
  if (await moved(dir, gone)) await removeFolder(gone);
  const scratch = join(store.dir, "scratch");
  const own = (await readdir(scratch)).filter((name) => isIndexOf(name, basename(dir)));
  await Promise.all(own.map((name) => rm(join(scratch, name), { force: true })));
  await rm(noteFile(store, dir), { force: true });
}

function isIndexOf(name: string, attempt: string): boolean {
  return name.startsWith(`${attempt}.`) && /^[0-9a-f]+\.index/.test(name.slice(attempt.length + 1));
}
