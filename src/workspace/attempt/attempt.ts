import { randomUUID } from "node:crypto";
import { copyFile, lstat, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FolderPart, OpenOptions, SeizeOrder, SetupOrder, WorkFolder } from "../../core/ports/workspace.ts";
import { sha256 } from "../../node/digest.ts";
import { listBlockingFiles } from "../repository/blocking-files.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireId } from "../repository/object-id.ts";
import { createGitDir } from "../repository/own-git-dir.ts";
import { type CarriedSetup, placeCarriedSetup, stampSetup } from "../warm/carried-setup.ts";
import { getIndexPath, type IdleFolder, retireFolder, stampFolder, takeIdleFolder } from "../warm/idle-folder.ts";
import { createMountPoints, isLargeTree, writePart } from "../warm/part-of-tree.ts";
import {
  closeShare,
  closeUnreadShare,
  formatShareName,
  isSharedFolder,
  openSharedFolder,
} from "../warm/shared-folder.ts";
import { BRANCH, createHistory } from "./attempt-history.ts";
import {
  type AttemptNote,
  findNote,
  getNoteFile,
  isOfRun,
  isUnowned,
  listNotes,
  NO_OWNER,
  writeNote,
} from "./attempt-note.ts";
import { discard, moveIfPresent, moveToTrash, removeRecords, sweepTrashOnce } from "./discard.ts";
import { createOwnerMark } from "./owner.ts";

/**
 * Opens a repository for one attempt: fresh settings, refs and hooks, with the user's objects borrowed for reading.
 * Always a new directory, so that a leftover of a crash is neither mistaken for it nor removed with it. Its files may
 * be reused from an earlier folder if they are unchanged since git wrote them.
 * @rule A-12 (code) Each attempt works in its own repository; the user's repository stays byte-identical, and the
 *   checkout is updated last and only if the affected files have no local changes.
 */
export async function openAttempt(store: GitStore, order: AttemptOrder): Promise<WorkFolder> {
  const { share, confined } = order;
  // A folder can be shared only if no agent can write to it.
  if (share === undefined || !confined?.files) return openFolder(store, order);
  if (share.own && !(await isLargeTree(store, requireId(order.tree)))) return openFolder(store, order);
  const name = formatShareName(share.run, share.key);
  const shared = await openSharedFolder(store, name, () => openFolder(store, { ...order, name }));
  if (share.own === undefined) return shared;
  const part = await openPartialFolder(store, { ...order, shared, own: share.own });
  if (part) return part;
  await shared.close();
  return openFolder(store, order);
}

type PartOrder = Pick<AttemptOrder, "tree" | "name"> & { readonly shared: WorkFolder; readonly own: readonly string[] };

/** Returns undefined if the tree has something other than a folder at one of these paths. */
async function openPartialFolder(
  store: GitStore,
  { tree, name, shared, own }: PartOrder,
): Promise<WorkFolder | undefined> {
  const dir = createFolderPath(store, name);
  const part: FolderPart = { of: shared.dir, own };
  try {
    if (!(await createMountPoints(part))) return undefined;
    await writeNote(store, { dir, name, part });
    await mkdir(dir, { mode: 0o700 });
    await writePart(store, { dir, own, tree: requireId(tree) });
    return joinPart(createWorkFolder(store, { dir, name, index: getIndexPath(store, dir, tree) }), { shared, part });
  } catch (error) {
    await Promise.all([discard(store, dir), shared.close()]);
    throw error;
  }
}

type SharedPart = { readonly shared: WorkFolder; readonly part: FolderPart };

function joinPart(folder: WorkFolder, { shared, part }: SharedPart): WorkFolder {
  const awaitBoth = async (...ends: readonly Promise<void>[]): Promise<void> => {
    await Promise.all(ends);
  };
  return {
    ...folder,
    part,
    fill: shared.fill,
    place: shared.place,
    close: () => awaitBoth(folder.close(), shared.close()),
    leave: () => awaitBoth(folder.leave(), shared.leave()),
  };
}

type AttemptOrder = OpenOptions & { readonly tree: string; readonly name: string };

async function openFolder(store: GitStore, { tree, name, base, confined }: AttemptOrder): Promise<WorkFolder> {
  const id = requireId(tree);
  sweepTrashOnce(store);
  const dir = createFolderPath(store, name);
  const index = getIndexPath(store, dir, id);
  const { objects: borrowed, objectFormat } = store.repository;
  await writeNote(store, { dir, name });
  try {
    const warm = await reuseIdle(store, { dir, tree: id, index, confined });
    if (!warm) await mkdir(dir, { mode: 0o700 });
    await createGitDir(join(dir, ".git"), { objectFormat, borrowed, bare: false, branch: BRANCH });
    await Promise.all([
      createHistory(store, dir, { start: id, base: base === undefined ? undefined : requireId(base) }),
      warm ? undefined : checkOutTrees(store, { dir, index, trees: [id] }),
    ]);
    await copyFile(index, join(dir, ".git", "index"));
    const used = confined && (await stampFolder(store, { dir, tree: id, index }));
    const { setup } = warm ?? {};
    if (setup?.waits && !used) await discard(store, setup.waits);
    return createWorkFolder(store, { dir, name, index, ...(used ? { used: setup ? { ...used, setup } : used } : {}) });
  } catch (error) {
    await discard(store, dir);
    throw error;
  }
}

type WarmRequest = Pick<IdleFolder, "dir" | "tree" | "index"> & { readonly confined: OpenOptions["confined"] };

/** Reuses an idle folder and returns it; undefined if a new one has to be created. */
async function reuseIdle(
  store: GitStore,
  { dir, tree, index, confined }: WarmRequest,
): Promise<IdleFolder | undefined> {
  if (!confined) return undefined;
  const idle =
    (await takeIdleFolder(store, confined)) ??
    ((await closeUnreadShare(store)) ? await takeIdleFolder(store, confined) : undefined);
  if (!idle) return undefined;
  try {
    await rename(idle.dir, dir);
    await rename(idle.index, index);
    if (idle.tree !== tree) await checkOutTrees(store, { dir, index, trees: [idle.tree, tree] });
    return idle;
  } catch {
    // The folder is unusable for any reason: a new checkout reports the problem, if there is one.
    await moveToTrash(store, dir);
    await rm(index, { force: true });
    if (idle.setup?.waits) await discard(store, idle.setup.waits);
    return undefined;
  } finally {
    await removeRecords(store, idle.dir);
  }
}

/**
 * The owner may only be paused, and would continue in the folder and remove it. So it must have no owner, or be owned
 * by this process.
 */
export async function openAgain(store: GitStore, dir: string, name: string): Promise<WorkFolder | undefined> {
  const note = await findNote(store, dir);
  if (!note || (!isUnowned(note) && note.owner !== createOwnerMark()) || !(await isFolder(dir))) return undefined;
  if (note.part) return openPartAgain(store, { ...note, name, part: note.part });
  if (!isSharedFolder(note)) return shareAttempt(store, dir, name);
  return openSharedFolder(store, note.name, async () => {
    await writeNote(store, { dir, name: note.name });
    return createWorkFolder(store, { dir, name: note.name, index: join(dir, ".git", "index") });
  });
}

/** The agent cannot continue without the rest of its tree. */
async function openPartAgain(store: GitStore, { dir, name, part }: ReopenedPart): Promise<WorkFolder | undefined> {
  const shared = await openAgain(store, part.of, name);
  const folder = shared && (await shareAttempt(store, dir, name));
  return folder && joinPart(folder, { shared, part });
}

type ReopenedPart = Pick<AttemptNote, "dir" | "name"> & { readonly part: FolderPart };

/** The previous owner finds the new mark if it wakes up, and then neither removes nor leaves the folder. */
export async function shareAttempt(store: GitStore, dir: string, name: string): Promise<WorkFolder | undefined> {
  const note = await findNote(store, dir);
  if (!note || !(await isFolder(dir))) return undefined;
  await writeNote(store, { ...note, name });
  return createWorkFolder(store, { dir, name, index: join(dir, ".git", "index") });
}

async function isFolder(dir: string): Promise<boolean> {
  return (await lstat(dir).catch(() => undefined))?.isDirectory() ?? false;
}

/**
 * Takes a folder from an owner that may only be paused. Renames it to a new name in one step, so that the former owner
 * can no longer change, judge or remove it.
 */
export async function takeOverAttempt(
  store: GitStore,
  { dir, name, announce }: SeizeOrder,
): Promise<WorkFolder | undefined> {
  if (dirname(dir) !== store.attempts) return undefined;
  const taken = `${dir.replace(SEIZED_SUFFIX, "")}~${randomUUID().slice(0, 8)}`;
  const note = await findNote(store, dir);
  await writeNote(store, { ...note, dir: taken, name });
  await announce(taken);
  // A shared folder has other readers and is not moved; a reader changes nothing in it. An empty folder of its own
  // marks the new owner.
  if (note && isSharedFolder(note)) await mkdir(taken, { mode: 0o700 });
  if ((note && isSharedFolder(note)) || (await moveIfPresent(dir, taken)))
    return createWorkFolder(store, { dir: taken, name, index: join(taken, ".git", "index") });
  await rm(getNoteFile(store, taken), { force: true });
  return undefined;
}

const SEIZED_SUFFIX = /~[0-9a-f]{8}$/;

type AttemptPaths = {
  readonly dir: string;
  readonly name: string;
  readonly index: string;
  /** Set if the folder may be reused afterwards. */
  readonly used?: IdleFolder;
};

function createWorkFolder(store: GitStore, { dir, name, index, used: first }: AttemptPaths): WorkFolder {
  let used = first;
  return {
    dir,
    place: async (order) => {
      const placed = await placeSetup(store, { dir, order, setup: used?.setup, isKept: used !== undefined });
      if (used) used = withSetup(used, placed.setup);
      return placed.done;
    },
    close: async () => {
      if (isOwnedByUs(await findNote(store, dir))) await (used ? retireFolder(store, used) : discard(store, dir));
    },
    leave: async () => {
      const note = await findNote(store, dir);
      if (isOwnedByUs(note)) await writeNote(store, { ...note, dir, name }, NO_OWNER);
    },
    fill: (work) => work(),
    // Git itself knows which files are unchanged.
    restore: async () => {
      // Removes files that would block git, such as FIFOs; if one replaces a file of the tree, that file is restored.
      await Promise.all((await listBlockingFiles(dir)).map((path) => rm(join(dir, path), { force: true })));
      const env = { GIT_INDEX_FILE: index };
      await store.ask(["checkout-index", "--force", "--all", "--quiet"], { cwd: dir, about: dir, env });
    },
  };
}

function withSetup({ setup: _former, ...rest }: IdleFolder, setup: CarriedSetup | undefined): IdleFolder {
  return setup ? { ...rest, setup } : rest;
}

type SetupPlacement = {
  readonly dir: string;
  readonly order: SetupOrder;
  /** The set-up that an earlier folder left. */
  readonly setup: CarriedSetup | undefined;
  /** The folder may be reused afterwards. */
  readonly isKept: boolean;
};

async function placeSetup(
  store: GitStore,
  { dir, order, setup, isKept }: SetupPlacement,
): Promise<{ readonly done: boolean; readonly setup?: CarriedSetup | undefined }> {
  if (setup?.waits && setup.order.key === order.key)
    return { done: true, setup: await placeCarriedSetup(store, dir, setup) };
  if (setup?.waits) await discard(store, setup.waits);
  const done = await order.copy(dir);
  return { done, setup: done && isKept ? await stampSetup(store, dir, order) : undefined };
}

/** A folder without a note belongs to the process that opened it. */
function isOwnedByUs({ owner }: Pick<AttemptNote, "owner"> = { owner: NO_OWNER }): boolean {
  return owner === NO_OWNER || owner === createOwnerMark();
}

export async function discardAttempts(store: GitStore, run: string): Promise<void> {
  const own = (await listNotes(store)).filter(({ name }) => isOfRun(name, run));
  await Promise.all(own.map(async ({ dir, name }) => (await closeShare(store, name)) || discard(store, dir)));
}

type CheckoutOrder = { readonly dir: string; readonly index: string; readonly trees: readonly string[] };

/**
 * Checks out one tree into an empty folder, or replaces the first tree by the second: then only differences are
 * written.
 */
async function checkOutTrees(store: GitStore, { dir, index, trees }: CheckoutOrder): Promise<void> {
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: dir };
  // Skips fsync, because the checkout need not survive a crash.
  await store.ask(["-c", "core.fsync=none", "read-tree", "-m", "-u", ...trees], { cwd: dir, env });
}

function createFolderPath(store: GitStore, name: string): string {
  return join(store.attempts, `${toSlug(name)}-${randomUUID().slice(0, 13)}`);
}

function toSlug(name: string): string {
  const readable = name
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return `${readable}-${sha256(name).slice(0, 8)}`;
}
