import { createHash, randomUUID } from "node:crypto";
import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Opened, Seizure } from "../core/ports/workspace.ts";
import { attemptNotes, belongsTo, isLeft, NOBODY, noteAttempt, noteFile } from "./attempt-note.ts";
import { line } from "./git.ts";
import { layGitDir } from "./own-git-dir.ts";
import { ownerMark } from "./owner.ts";
import type { Store } from "./store.ts";
import { needsId } from "./tree-id.ts";

const BRANCH = "attempt";

/** Fixed, so that the commit an agent starts from depends on its tree alone. */
export const NEUTRAL_IDENTITY = {
  GIT_AUTHOR_NAME: "Signalbox",
  GIT_AUTHOR_EMAIL: "signalbox@localhost",
  GIT_AUTHOR_DATE: "@0 +0000",
  GIT_COMMITTER_NAME: "Signalbox",
  GIT_COMMITTER_EMAIL: "signalbox@localhost",
  GIT_COMMITTER_DATE: "@0 +0000",
} as const;

/** The same name at a given time, in milliseconds. */
export function identityAt(date: number): Record<string, string> {
  const at = `@${Math.floor(date / 1000)} +0000`;
  return { ...NEUTRAL_IDENTITY, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
}

/** Where the engine keeps what it knows about the files it checked out; agents have a copy. */
export function indexOf(store: Store, dir: string, tree: string): string {
  return join(store.dir, "scratch", `${basename(dir)}.${tree}.index`);
}

/**
 * A repository of its own: fresh settings, refs and hooks; the user's objects are borrowed for reading.
 * Always a new directory, so a left-over of a crash is never mistaken for it nor removed with what it holds.
 */
export async function openAttempt(store: Store, tree: string, name: string): Promise<Opened> {
  const id = needsId(tree);
  const dir = join(store.attempts, `${slug(name)}-${randomUUID().slice(0, 13)}`);
  const index = indexOf(store, dir, id);
  const { objects: borrowed, objectFormat } = store.repository;
  await noteAttempt(store, { dir, name });
  try {
    await mkdir(dir, { mode: 0o700 });
    await layGitDir(join(dir, ".git"), { objectFormat, borrowed, bare: false, branch: BRANCH });
    const [commit] = await Promise.all([firstCommit(store, dir, id), checkOut(store, { dir, tree: id, index })]);
    await Promise.all([
      writeFile(join(dir, ".git", "refs", "heads", BRANCH), `${commit}\n`),
      copyFile(index, join(dir, ".git", "index")),
    ]);
  } catch (error) {
    await discard(store, dir);
    throw error;
  }
  return openedIn(store, { dir, name, index });
}

/** One who was only paused would go on in it, and remove it in the end: it must be nobody's, or this process's own. */
export async function reopenAttempt(store: Store, dir: string, name: string): Promise<Opened | undefined> {
  const note = (await attemptNotes(store)).find((each) => each.dir === dir);
  if (!note || !(await lstat(dir).catch(() => undefined))?.isDirectory()) return undefined;
  if (!isLeft(note) && note.owner !== ownerMark()) return undefined;
  await noteAttempt(store, { dir, name });
  return openedIn(store, { dir, name, index: join(dir, ".git", "index") });
}

/**
 * From one who may only be paused. The folder goes to a name that nobody else knows, in one step: when its former owner
 * wakes, there is nothing left for it to change, to judge or to remove.
 */
export async function seizeAttempt(store: Store, { dir, name, announce }: Seizure): Promise<Opened | undefined> {
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

type Place = { readonly dir: string; readonly name: string; readonly index: string };

function openedIn(store: Store, { dir, name, index }: Place): Opened {
  return {
    dir,
    close: () => discard(store, dir),
    leave: () => noteAttempt(store, { dir, name }, NOBODY),
    // Of those that are as they were, git itself knows it.
    restore: async () => {
      const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
      await store.ask(["checkout-index", "--force", "--all", "--quiet"], { cwd: dir, env });
    },
  };
}

export async function abandonAttempts(store: Store, run: string): Promise<void> {
  const own = (await attemptNotes(store)).filter(({ name }) => belongsTo(name, run));
  await Promise.all(own.map(({ dir }) => discard(store, dir)));
}

async function firstCommit(store: Store, dir: string, tree: string): Promise<string> {
  const env = { ...NEUTRAL_IDENTITY, GIT_OBJECT_DIRECTORY: join(dir, ".git", "objects") };
  return line(await store.ask(["-c", "core.fsync=none", "commit-tree", tree, "-m", "Start of the attempt"], { env }));
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
  return `${readable}-${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
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

async function removeFolder(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch {
    // An agent may have taken away the right to look into its own folders.
    await unlock(dir);
    await rm(dir, { recursive: true, force: true });
  }
}

async function unlock(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  const entries = await readdir(dir, { withFileTypes: true });
  // A link is not a directory here, so nothing outside is ever touched.
  await Promise.all(entries.filter((entry) => entry.isDirectory()).map((entry) => unlock(join(dir, entry.name))));
}
