import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { AttemptResult, Effect } from "../../../core/journal/effect.ts";
import { HOME_FOLDERS } from "../../../core/ports/driver.ts";
import type { FolderPart } from "../../../core/ports/workspace.ts";
import { makeOwnFolder } from "../../../node/own-folder.ts";
import { removeFolder } from "../../../node/remove-folder.ts";
import type { ExecutorDeps } from "../executor.ts";
import { getConfinement } from "../sandbox.ts";
import { ADDED_FOLDERS, type AddedFiles, addFiles, hasTreeResults } from "./added-files.ts";
import { listDocumentFolders } from "./document-folders.ts";
import { isRunFolder, type PreparedAttempt, resolveEffectSpool } from "./prepare-attempt.ts";

/** The folder of an attempt, with what a later engine needs to take its work or continue it. */
export type AttemptFolder = FolderNote & {
  /** Removes the folder when it is no longer needed. */
  close(): Promise<void>;
  /** Leaves the folder for the next attempt; absent if another process may still use it. */
  leave?(): Promise<void>;
};

type FolderNote = {
  readonly dir: string;
  /**
   * The earlier location, if the folder was seized from an engine that may still live. The folder is there until it was
   * moved.
   */
  readonly before?: string;
  readonly home: string;
  /** The tree that was checked out, possibly for an earlier attempt. */
  readonly opened: string;
  /** The driver whose conversations are in the home. */
  readonly driver: string;
  /** The conversation that this attempt resumes. */
  readonly session?: string;
  /** Absent in notes that are older than this field. */
  readonly laid?: AddedFiles;
  /** True if other agents read there too, so that none may write. */
  readonly isShared?: boolean;
  /** The part that the agent may write; nothing else is checked out. */
  readonly part?: FolderPart;
  readonly result?: AttemptResult;
};

/**
 * Creates a folder with the tree of the request, and an empty home. Retained work of an earlier attempt is in it and
 * counts as this one's: changes are compared with the tree of the request.
 */
export async function createAttemptFolder(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  prepared: PreparedAttempt,
): Promise<AttemptFolder> {
  const home = join(parts.cache, "homes", prepared.name);
  const furnished = createHome(prepared, home);
  const { opened, begun, base } = await renderTrees(parts, effect);
  const { driver } = prepared.definition;
  // An agent that works outside the engine is not confined.
  const confined = driver.outlives ? undefined : getConfinement(parts);
  const documents = listDocumentFolders(prepared.role, effect.request.writes);
  const share = prepared.role.writes && !documents ? undefined : toShareOptions(parts, effect);
  const own = documents && { own: [...documents, ...ADDED_FOLDERS] };
  const opening = parts.workspace.open(begun, prepared.name, { base, confined, share: share && { ...share, ...own } });
  const [folder] = await Promise.all([opening, furnished]);
  const { dir, part, close, leave } = folder;
  const isShared = confined?.files === true && !prepared.role.writes;
  const apart = isShared ? resolvePrivateFolder(home) : part && dir;
  const laid = await addFiles(parts, effect, { folder, writes: prepared.role.writes && !part, apart });
  const shown = { ...(isShared ? { isShared } : {}), ...(part ? { part } : {}) };
  const note: FolderNote = { dir, home, opened, driver: driver.name, laid, ...shown };
  await writeNote(prepared.spool, note);
  return { ...note, leave, close: () => removeAll(close(), removeFolder(home)) };
}

/** Returns the folder for the files of one agent, if agents share a checkout. */
export function resolvePrivateFolder(home: string): string {
  return join(home, ".laid");
}

/** Agents with the same tree, history and set-up share one checkout. */
function toShareOptions({ world }: ExecutorDeps, { run, request }: Effect<"attempt">) {
  const { tree, base, kept, rendered, setup } = request;
  const all = { tree, base, kept, rendered, setup, whole: hasTreeResults(request) };
  return { run, key: world.hash(JSON.stringify(all)).slice(0, 16) };
}

/**
 * Adds the files that the engine renders to all trees: they are no part of the change under work. `begun` is checked
 * out.
 */
async function renderTrees(
  { workspace }: ExecutorDeps,
  { request: { tree, base, kept, rendered } }: Effect<"attempt">,
): Promise<{ readonly opened: string; readonly begun: string; readonly base: string | undefined }> {
  const renderOther = (id: string | undefined) =>
    id === undefined || id === tree ? undefined : workspace.render(id, rendered);
  const [opened, from, begun] = await Promise.all([
    workspace.render(tree, rendered),
    renderOther(base),
    renderOther(kept),
  ]);
  return { opened, begun: begun ?? opened, base: base === tree ? opened : from };
}

/** Runs while git checks out the tree: sequentially this would take a tenth of the time of starting an agent. */
async function createHome({ spool }: PreparedAttempt, home: string): Promise<void> {
  const folders = Object.values(HOME_FOLDERS).map((folder) => join(home, folder));
  makeOwnFolder(spool);
  await Promise.all([home, ...folders].map((folder) => mkdir(folder, FOLDER)));
}

const FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Takes over the folder of the attempt that this one continues. Undefined if it is gone, or belongs to another driver.
 */
export async function takeInheritedFolder(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  prepared: PreparedAttempt,
): Promise<AttemptFolder | undefined> {
  const { continues } = effect.request;
  if (!continues) return undefined;
  const { driver } = prepared.definition;
  const before = resolveEffectSpool(parts, { id: continues.effect, run: effect.run });
  const left = await reopenFolder(parts, before, prepared.name);
  if (!left) return removeHomeless(before).then(() => undefined);
  if (left.driver !== driver.name || !driver.session) return left.close().then(() => undefined);
  const { result: _result, close, leave, ...note } = left;
  const taken = { ...note, session: continues.session };
  makeOwnFolder(prepared.spool);
  await writeNote(prepared.spool, taken);
  // A folder must have a single owner.
  await rm(resolveNote(before), { force: true });
  return { ...taken, close, leave };
}

/** Removes a home whose folder is gone. */
async function removeHomeless(spool: string): Promise<void> {
  const note = await readNote(resolveNote(spool));
  if (note && !existsSync(note.dir)) await removeFolder(note.home);
}

/** Finds the folder that this attempt had created or taken over before its engine was gone. */
export async function findLeftFolder(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  prepared: PreparedAttempt,
): Promise<AttemptFolder | undefined> {
  return (await recoverFolder(parts, prepared)) ?? (await takeInheritedFolder(parts, effect, prepared));
}

/**
 * Stores the result before the folder is removed: a folder that is half removed must not be judged again. The result
 * counts only if this engine owned the folder until the end; an engine that seizes it writes a note before it moves
 * anything.
 */
export async function keepResult(
  { spool }: PreparedAttempt,
  { close: _close, leave: _leave, ...note }: AttemptFolder,
  result: AttemptResult,
) {
  const now = await readNote(resolveNote(spool));
  if (now && now.dir !== note.dir) throw createTakenOverError(note.dir);
  await writeNote(spool, { ...note, result });
}

function createTakenOverError(dir: string): SignalboxError {
  return new SignalboxError(
    "FENCED",
    `Another engine has taken over the attempt in ${dir} while this one was paused.`,
    "Nothing was stored. The other engine continues it; follow the run with `signalbox status`.",
  );
}

/** Moves the output of a refused turn aside, so that the next one does not find it in its place. */
export async function setAsideTurn({ spool }: PreparedAttempt): Promise<void> {
  await rename(spool, `${spool}-refused`);
}

/** Removes the folders of a run that has ended. */
export async function removeFolders(parts: Pick<ExecutorDeps, "workspace" | "cache">, run: string): Promise<void> {
  await parts.workspace.abandon(run);
  const homes = join(parts.cache, "homes");
  const names = await readdir(homes).catch(() => []);
  await Promise.all(names.filter((name) => isRunFolder(name, run)).map((name) => removeFolder(join(homes, name))));
}

type OwnFolder = AttemptFolder & Required<Pick<AttemptFolder, "leave">>;

/** Reopens the folder, if no other process can be in it. */
async function reopenFolder(parts: ExecutorDeps, spool: string, name: string): Promise<OwnFolder | undefined> {
  const note = await readNote(resolveNote(spool));
  const reopened = note && (await parts.workspace.reopen(note.dir, name));
  if (!note || !reopened) return undefined;
  return { ...note, close: () => removeAll(reopened.close(), removeFolder(note.home)), leave: reopened.leave };
}

/**
 * Returns the folder of an earlier attempt. Complete output is taken even from a folder whose owner may still live,
 * because it is finished.
 */
async function recoverFolder(
  parts: ExecutorDeps,
  { spool, name, definition }: PreparedAttempt,
): Promise<AttemptFolder | undefined> {
  const own = await reopenFolder(parts, spool, name);
  if (own) return own;
  const note = await readNote(resolveNote(spool));
  if (!note || note.result) return note && toFinishedFolder(note);
  const stays = definition.driver.outlives !== undefined && definition.driver.name === note.driver;
  const taken = stays ? await shareFolder(parts, note, name) : await seizeFolder(parts, { note, spool, name });
  if (taken) return taken;
  // An attempt that finishes before its folder is seized has stored its result first.
  const last = await readNote(resolveNote(spool));
  if (last?.result) return toFinishedFolder(last);
  await removeFolder(note.home);
  return undefined;
}

/** The result of a finished attempt is enough; its folder is removed by the engine that wrote it, or with the run. */
function toFinishedFolder(note: FolderNote): AttemptFolder {
  return { ...note, close: () => removeFolder(note.home) };
}

/** An agent outside the engine knows the folder by this name and may still work in it, so it cannot be moved. */
async function shareFolder(parts: ExecutorDeps, note: FolderNote, name: string): Promise<AttemptFolder | undefined> {
  const opened = await parts.workspace.share(note.dir, name);
  return opened && { ...note, close: () => removeAll(opened.close(), removeFolder(note.home)), leave: opened.leave };
}

type LeftAttempt = { readonly note: FolderNote; readonly spool: string; readonly name: string };

async function seizeFolder(
  parts: ExecutorDeps,
  { note, spool, name }: LeftAttempt,
): Promise<AttemptFolder | undefined> {
  for (const from of [note.dir, note.before]) {
    if (from === undefined) continue;
    const announce = (dir: string) => writeNote(spool, { ...note, dir, before: from });
    const taken = await parts.workspace.seize({ dir: from, name, announce });
    if (taken)
      return { ...note, dir: taken.dir, before: from, close: () => removeAll(taken.close(), removeFolder(note.home)) };
  }
  return undefined;
}

async function removeAll(...removals: readonly Promise<void>[]): Promise<void> {
  await Promise.all(removals);
}

const resolveNote = (spool: string): string => join(spool, "attempt.json");

async function writeNote(spool: string, note: FolderNote): Promise<void> {
  const file = resolveNote(spool);
  await writeFile(`${file}.new`, JSON.stringify(note));
  await rename(`${file}.new`, file);
}

async function readNote(file: string): Promise<FolderNote | undefined> {
  try {
    // writeNote alone creates these files, and it replaces them as a whole.
    return JSON.parse(await readFile(file, "utf8")) as FolderNote;
  } catch {
    return undefined;
  }
}
