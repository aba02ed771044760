import { randomUUID } from "node:crypto";
import { copyFile, lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OpenOptions, Part, Seizure, SetupOrder, WorkFolder } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { layGitDir } from "../repository/own-git-dir.ts";
import { standstillsIn } from "../repository/standstills.ts";
import type { Store } from "../repository/store.ts";
import { needsId } from "../repository/tree-id.ts";
import { type CarriedSetup, laidFrom, stampedSetup } from "../warm/carried-setup.ts";
import { type IdleFolder, indexOf, retire, stamped, takeIdle } from "../warm/idle-folder.ts";
import { isLarge, layPart, makePlaces } from "../warm/part-of-tree.ts";
import { closeShare, closeUnread, isShared, openShared, shareName } from "../warm/shared-folder.ts";
import {
  type AttemptNote,
  attemptNotes,
  belongsTo,
  isLeft,
  NOBODY,
  noteAttempt,
  noteFile,
  noteOf,
} from "./attempt-note.ts";
import { discard, forget, moved, sweepOnce, throwAway } from "./discard.ts";
import { BRANCH, ownHistory } from "./own-history.ts";
import { ownerMark } from "./owner.ts";

/**
 * A repository of its own: fresh settings, refs and hooks; the user's objects are borrowed for reading.
 * Always a new directory, so a left-over of a crash is never mistaken for it nor removed with what it holds. Its files
 * may be those of an earlier one that are exactly as git laid them.
 * @rule A-12 (code) Each attempt works in a repository of its own; the user's stays byte for byte, and the checkout
 *   follows last and only where it is clean.
 */
export async function openAttempt(store: Store, order: AttemptOrder): Promise<WorkFolder> {
  const { share, confined } = order;
  // Only what nobody can write to can be another's at the same time.
  if (share === undefined || !confined?.files) return openOwn(store, order);
  if (share.own && !(await isLarge(store, needsId(order.tree)))) return openOwn(store, order);
  const name = shareName(share.run, share.key);
  const shared = await openShared(store, name, () => openOwn(store, { ...order, name }));
  if (share.own === undefined) return shared;
  const part = await openPart(store, { ...order, shared, own: share.own });
  if (part) return part;
  await shared.close();
  return openOwn(store, order);
}

type PartOrder = Pick<AttemptOrder, "tree" | "name"> & { readonly shared: WorkFolder; readonly own: readonly string[] };

/** Undefined where the tree has something else in the place of a folder. */
async function openPart(store: Store, { tree, name, shared, own }: PartOrder): Promise<WorkFolder | undefined> {
  const dir = newPlace(store, name);
  const part: Part = { of: shared.dir, own };
  try {
    if (!(await makePlaces(part))) return undefined;
    await noteAttempt(store, { dir, name, part });
    await mkdir(dir, { mode: 0o700 });
    await layPart(store, { dir, own, tree: needsId(tree) });
    return partOf(openedIn(store, { dir, name, index: indexOf(store, dir, tree) }), { shared, part });
  } catch (error) {
    await Promise.all([discard(store, dir), shared.close()]);
    throw error;
  }
}

type Whole = { readonly shared: WorkFolder; readonly part: Part };

function partOf(folder: WorkFolder, { shared, part }: Whole): WorkFolder {
  const both = async (...ends: readonly Promise<void>[]): Promise<void> => {
    await Promise.all(ends);
  };
  return {
    ...folder,
    part,
    fill: shared.fill,
    place: shared.place,
    close: () => both(folder.close(), shared.close()),
    leave: () => both(folder.leave(), shared.leave()),
  };
}

type AttemptOrder = OpenOptions & { readonly tree: string; readonly name: string };

async function openOwn(store: Store, { tree, name, base, confined }: AttemptOrder): Promise<WorkFolder> {
  const id = needsId(tree);
  sweepOnce(store);
  const dir = newPlace(store, name);
  const index = indexOf(store, dir, id);
  const { objects: borrowed, objectFormat } = store.repository;
  await noteAttempt(store, { dir, name });
  try {
    const warm = await layWarm(store, { dir, tree: id, index, confined });
    if (!warm) await mkdir(dir, { mode: 0o700 });
    await layGitDir(join(dir, ".git"), { objectFormat, borrowed, bare: false, branch: BRANCH });
    await Promise.all([
      ownHistory(store, dir, { start: id, base: base === undefined ? undefined : needsId(base) }),
      warm ? undefined : checkOut(store, { dir, index, trees: [id] }),
    ]);
    await copyFile(index, join(dir, ".git", "index"));
    const used = confined && (await stamped(store, { dir, tree: id, index }));
    const { setup } = warm ?? {};
    if (setup?.waits && !used) await discard(store, setup.waits);
    return openedIn(store, { dir, name, index, ...(used ? { used: setup ? { ...used, setup } : used } : {}) });
  } catch (error) {
    await discard(store, dir);
    throw error;
  }
}

type Laying = Pick<IdleFolder, "dir" | "tree" | "index"> & { readonly confined: OpenOptions["confined"] };

/** From a folder that is there, which is told; undefined where a new one has to be made. */
async function layWarm(store: Store, { dir, tree, index, confined }: Laying): Promise<IdleFolder | undefined> {
  if (!confined) return undefined;
  const idle =
    (await takeIdle(store, confined)) ?? ((await closeUnread(store)) ? await takeIdle(store, confined) : undefined);
  if (!idle) return undefined;
  try {
    await rename(idle.dir, dir);
    await rename(idle.index, index);
    if (idle.tree !== tree) await checkOut(store, { dir, index, trees: [idle.tree, tree] });
    return idle;
  } catch {
    // Of no use, for whatever reason: a new checkout says what is wrong, if anything is.
    await throwAway(store, dir);
    await rm(index, { force: true });
    if (idle.setup?.waits) await discard(store, idle.setup.waits);
    return undefined;
  } finally {
    await forget(store, idle.dir);
  }
}

/** One who was only paused would go on in it, and remove it in the end: it must be nobody's, or this process's own. */
export async function reopenAttempt(store: Store, dir: string, name: string): Promise<WorkFolder | undefined> {
  const note = await noteOf(store, dir);
  if (!note || (!isLeft(note) && note.owner !== ownerMark()) || !(await isFolder(dir))) return undefined;
  if (note.part) return reopenPart(store, { ...note, name, part: note.part });
  if (!isShared(note)) return shareAttempt(store, dir, name);
  return openShared(store, note.name, async () => {
    await noteAttempt(store, { dir, name: note.name });
    return openedIn(store, { dir, name: note.name, index: join(dir, ".git", "index") });
  });
}

/** Without the rest of its tree nobody could go on in it. */
async function reopenPart(store: Store, { dir, name, part }: ReopenedPart): Promise<WorkFolder | undefined> {
  const shared = await reopenAttempt(store, part.of, name);
  const folder = shared && (await shareAttempt(store, dir, name));
  return folder && partOf(folder, { shared, part });
}

type ReopenedPart = Pick<AttemptNote, "dir" | "name"> & { readonly part: Part };

/** Who opened it before finds another's mark when he wakes, and then neither removes nor leaves it. */
export async function shareAttempt(store: Store, dir: string, name: string): Promise<WorkFolder | undefined> {
  const note = await noteOf(store, dir);
  if (!note || !(await isFolder(dir))) return undefined;
  await noteAttempt(store, { ...note, name });
  return openedIn(store, { dir, name, index: join(dir, ".git", "index") });
}

async function isFolder(dir: string): Promise<boolean> {
  return (await lstat(dir).catch(() => undefined))?.isDirectory() ?? false;
}

/**
 * From one who may only be paused. The folder goes to a name that nobody else knows, in one step: when its former owner
 * wakes, there is nothing left for it to change, to judge or to remove.
 */
export async function seizeAttempt(store: Store, { dir, name, announce }: Seizure): Promise<WorkFolder | undefined> {
  if (dirname(dir) !== store.attempts) return undefined;
  const taken = `${dir.replace(SEIZED, "")}~${randomUUID().slice(0, 8)}`;
  const note = await noteOf(store, dir);
  await noteAttempt(store, { ...note, dir: taken, name });
  await announce(taken);
  // Others read there too, and of one who reads nothing is taken: a folder of its own says that it is another's now.
  if (note && isShared(note)) await mkdir(taken, { mode: 0o700 });
  if ((note && isShared(note)) || (await moved(dir, taken)))
    return openedIn(store, { dir: taken, name, index: join(taken, ".git", "index") });
  await rm(noteFile(store, taken), { force: true });
  return undefined;
}

const SEIZED = /~[0-9a-f]{8}$/;

type AttemptPaths = {
  readonly dir: string;
  readonly name: string;
  readonly index: string;
  /** Where it may serve another afterwards. */
  readonly used?: IdleFolder;
};

function openedIn(store: Store, { dir, name, index, used: first }: AttemptPaths): WorkFolder {
  let used = first;
  return {
    dir,
    place: async (order) => {
      const placed = await placedIn(store, { dir, order, setup: used?.setup, isKept: used !== undefined });
      if (used) used = withSetup(used, placed.setup);
      return placed.done;
    },
    close: async () => {
      if (isOurs(await noteOf(store, dir))) await (used ? retire(store, used) : discard(store, dir));
    },
    leave: async () => {
      const note = await noteOf(store, dir);
      if (isOurs(note)) await noteAttempt(store, { ...note, dir, name }, NOBODY);
    },
    fill: (work) => work(),
    // Of those that are as they were, git itself knows it.
    restore: async () => {
      // What a command left in git's way is nobody's; where it stands for a file of the tree, that one comes back.
      await Promise.all((await standstillsIn(dir)).map((path) => rm(join(dir, path), { force: true })));
      const env = { GIT_INDEX_FILE: index };
      await store.ask(["checkout-index", "--force", "--all", "--quiet"], { cwd: dir, about: dir, env });
    },
  };
}

function withSetup({ setup: _former, ...rest }: IdleFolder, setup: CarriedSetup | undefined): IdleFolder {
  return setup ? { ...rest, setup } : rest;
}

type Placing = {
  readonly dir: string;
  readonly order: SetupOrder;
  /** What is there of one before. */
  readonly setup: CarriedSetup | undefined;
  /** It may serve another afterwards. */
  readonly isKept: boolean;
};

async function placedIn(
  store: Store,
  { dir, order, setup, isKept }: Placing,
): Promise<{ readonly done: boolean; readonly setup?: CarriedSetup | undefined }> {
  if (setup?.waits && setup.order.key === order.key) return { done: true, setup: await laidFrom(store, dir, setup) };
  if (setup?.waits) await discard(store, setup.waits);
  const done = await order.copy(dir);
  return { done, setup: done && isKept ? await stampedSetup(store, dir, order) : undefined };
}

/** What nobody has marked is his who opened it. */
function isOurs({ owner }: Pick<AttemptNote, "owner"> = { owner: NOBODY }): boolean {
  return owner === NOBODY || owner === ownerMark();
}

export async function abandonAttempts(store: Store, run: string): Promise<void> {
  const own = (await attemptNotes(store)).filter(({ name }) => belongsTo(name, run));
  await Promise.all(own.map(async ({ dir, name }) => (await closeShare(store, name)) || discard(store, dir)));
}

type CheckOut = { readonly dir: string; readonly index: string; readonly trees: readonly string[] };

/** One tree into an empty folder, or the second in place of the first: then only what differs is touched. */
async function checkOut(store: Store, { dir, index, trees }: CheckOut): Promise<void> {
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
  // Nothing here outlives a crash, so nothing is flushed.
  await store.ask(["-c", "core.fsync=none", "read-tree", "-m", "-u", ...trees], { cwd: dir, env });
}

function newPlace(store: Store, name: string): string {
  return join(store.attempts, `${slug(name)}-${randomUUID().slice(0, 13)}`);
}

function slug(name: string): string {
  const readable = name
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${readable}-${sha256(name).slice(0, 8)}`;
}
