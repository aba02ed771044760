import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { AttemptResult, Effect } from "../../../core/journal/effect.ts";
import { HOME_FOLDERS } from "../../../core/ports/driver.ts";
import type { Part } from "../../../core/ports/workspace.ts";
import { makeOwnFolder } from "../../../node/own-folder.ts";
import { removeFolder } from "../../../node/remove-folder.ts";
import type { ExecutorParts } from "../executor.ts";
import { confinement } from "../sandbox.ts";
import { documentFolders } from "./document-folders.ts";
import { isJudging, LAID_FOLDERS, type LaidFiles, layFiles } from "./laid-files.ts";
import { isNameOf, type PreparedAttempt, spoolOf } from "./prepare-attempt.ts";

/** Where an attempt works, and what a later engine must know to take its work or go on with it. */
export type AttemptFolder = Note & {
  /** Nobody needs it any more. */
  close(): Promise<void>;
  /** Lets it stand for the next attempt; missing where somebody else may still be in it. */
  leave?(): Promise<void>;
};

type Note = {
  readonly dir: string;
  /** Where it was before it was taken from one who may still live; it is there until it was moved. */
  readonly before?: string;
  readonly home: string;
  /** The tree that was opened, be it for an attempt before this one. */
  readonly opened: string;
  /** Whose conversations are in the home. */
  readonly driver: string;
  /** The conversation that this attempt goes on with. */
  readonly session?: string;
  /** Missing in notes of before there were such files. */
  readonly laid?: LaidFiles;
  /** Others read there too, so nobody may write. */
  readonly isShared?: boolean;
  /** Only what it may write is there. */
  readonly part?: Part;
  readonly result?: AttemptResult;
};

/**
 * A folder with the tree of the request, and an empty home. Work that was kept of an attempt before is in it, and counts
 * as this one's: changes are seen against the tree of the request.
 */
export async function newFolder(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  prepared: PreparedAttempt,
): Promise<AttemptFolder> {
  const home = join(parts.cache, "homes", prepared.name);
  const furnished = furnish(prepared, home);
  const { opened, begun, base } = await treesOf(parts, effect);
  const { driver } = prepared.definition;
  // Who works outside the engine is held by nothing.
  const confined = driver.outlives ? undefined : confinement(parts);
  const documents = documentFolders(prepared.role, effect.request.writes);
  const share = prepared.role.writes && !documents ? undefined : shareOf(parts, effect);
  const own = documents && { own: [...documents, ...LAID_FOLDERS] };
  const opening = parts.workspace.open(begun, prepared.name, { base, confined, share: share && { ...share, ...own } });
  const [folder] = await Promise.all([opening, furnished]);
  const { dir, part, close, leave } = folder;
  const isShared = confined?.files === true && !prepared.role.writes;
  const apart = isShared ? apartIn(home) : part && dir;
  const laid = await layFiles(parts, effect, { folder, writes: prepared.role.writes && !part, apart });
  const shown = { ...(isShared ? { isShared } : {}), ...(part ? { part } : {}) };
  const note: Note = { dir, home, opened, driver: driver.name, laid, ...shown };
  await writeNote(prepared.spool, note);
  return { ...note, leave, close: () => both(close(), removeFolder(home)) };
}

/** Where files for one agent alone lie, of those that share a folder. */
export function apartIn(home: string): string {
  return join(home, ".laid");
}

/** Those see the same who are given the same tree, history and set-up. */
function shareOf({ world }: ExecutorParts, { run, request }: Effect<"attempt">) {
  const { tree, base, kept, rendered, setup } = request;
  const all = { tree, base, kept, rendered, setup, whole: isJudging(request) };
  return { run, key: world.hash(JSON.stringify(all)).slice(0, 16) };
}

/** All with the files that the engine renders: they are no part of the change under work. `begun` is what is laid out. */
async function treesOf(
  { workspace }: ExecutorParts,
  { request: { tree, base, kept, rendered } }: Effect<"attempt">,
): Promise<{ readonly opened: string; readonly begun: string; readonly base: string | undefined }> {
  const other = (id: string | undefined) =>
    id === undefined || id === tree ? undefined : workspace.render(id, rendered);
  const [opened, from, begun] = await Promise.all([workspace.render(tree, rendered), other(base), other(kept)]);
  return { opened, begun: begun ?? opened, base: base === tree ? opened : from };
}

/** While git is at work on the tree: one after the other they would cost a tenth of what starting an agent does. */
async function furnish({ spool }: PreparedAttempt, home: string): Promise<void> {
  const folders = Object.values(HOME_FOLDERS).map((folder) => join(home, folder));
  makeOwnFolder(spool);
  await Promise.all([home, ...folders].map((folder) => mkdir(folder, FOLDER)));
}

const FOLDER = { recursive: true, mode: 0o700 } as const;

/** The place of the attempt that this one goes on with; undefined where it is gone, or not for this driver. */
export async function inheritedFolder(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  prepared: PreparedAttempt,
): Promise<AttemptFolder | undefined> {
  const { continues } = effect.request;
  if (!continues) return undefined;
  const { driver } = prepared.definition;
  const before = spoolOf(parts, { id: continues.effect, run: effect.run });
  const left = await ownFolder(parts, before, prepared.name);
  if (!left) return removeHomeless(before).then(() => undefined);
  if (left.driver !== driver.name || !driver.session) return left.close().then(() => undefined);
  const { result: _result, close, leave, ...note } = left;
  const taken = { ...note, session: continues.session };
  makeOwnFolder(prepared.spool);
  await writeNote(prepared.spool, taken);
  // Only one attempt ever answers for a place.
  await rm(noteIn(before), { force: true });
  return { ...taken, close, leave };
}

/** A home is of no use without the folder that it was for. */
async function removeHomeless(spool: string): Promise<void> {
  const note = await readNote(noteIn(spool));
  if (note && !existsSync(note.dir)) await removeFolder(note.home);
}

/** What this attempt had opened or taken over before its engine was gone. */
export async function leftFolder(
  parts: ExecutorParts,
  effect: Effect<"attempt">,
  prepared: PreparedAttempt,
): Promise<AttemptFolder | undefined> {
  return (await placeIn(parts, prepared)) ?? (await inheritedFolder(parts, effect, prepared));
}

/**
 * Before the folder goes: an engine that dies while it is removed must not leave half of it to be judged again. A result
 * stands only if the folder was this engine's until the end: one who takes it says so before anything moves.
 */
export async function keepResult(
  { spool }: PreparedAttempt,
  { close: _close, leave: _leave, ...note }: AttemptFolder,
  result: AttemptResult,
) {
  const now = await readNote(noteIn(spool));
  if (now && now.dir !== note.dir) throw takenOver(note.dir);
  await writeNote(spool, { ...note, result });
}

function takenOver(dir: string): SignalboxError {
  return new SignalboxError(
    "FENCED",
    `Another engine has taken over the attempt in ${dir} while this one was paused.`,
    "Nothing was stored. The other engine goes on with it; follow the run with `signalbox status`.",
  );
}

/** The conversation was refused: what is left of the turn is put aside, so that the next one is found in its place. */
export async function putAside({ spool }: PreparedAttempt): Promise<void> {
  await rename(spool, `${spool}-refused`);
}

/** A run that has ended leaves nothing behind that somebody could go on with. */
export async function removeFolders(parts: Pick<ExecutorParts, "workspace" | "cache">, run: string): Promise<void> {
  await parts.workspace.abandon(run);
  const homes = join(parts.cache, "homes");
  const names = await readdir(homes).catch(() => []);
  await Promise.all(names.filter((name) => isNameOf(name, run)).map((name) => removeFolder(join(homes, name))));
}

type OwnFolder = AttemptFolder & Required<Pick<AttemptFolder, "leave">>;

/** As it is, where nobody else can be in it. */
async function ownFolder(parts: ExecutorParts, spool: string, name: string): Promise<OwnFolder | undefined> {
  const note = await readNote(noteIn(spool));
  const reopened = note && (await parts.workspace.reopen(note.dir, name));
  if (!note || !reopened) return undefined;
  return { ...note, close: () => both(reopened.close(), removeFolder(note.home)), leave: reopened.leave };
}

/** Output that is complete can be taken even from a folder whose owner may live: by then it is his no longer. */
async function placeIn(
  parts: ExecutorParts,
  { spool, name, definition }: PreparedAttempt,
): Promise<AttemptFolder | undefined> {
  const own = await ownFolder(parts, spool, name);
  if (own) return own;
  const note = await readNote(noteIn(spool));
  if (!note || note.result) return note && bare(note);
  const stays = definition.driver.outlives !== undefined && definition.driver.name === note.driver;
  const taken = stays ? await shared(parts, note, name) : await seized(parts, { note, spool, name });
  if (taken) return taken;
  // Who finishes before it can be taken from him has noted his result first.
  const last = await readNote(noteIn(spool));
  if (last?.result) return bare(last);
  await removeFolder(note.home);
  return undefined;
}

/** Of a finished attempt the result is enough; its folder is removed by whoever wrote it, or with the run. */
function bare(note: Note): AttemptFolder {
  return { ...note, close: () => removeFolder(note.home) };
}

/** Somebody outside knows it by this name and may be at work there: it cannot be moved from under him. */
async function shared(parts: ExecutorParts, note: Note, name: string): Promise<AttemptFolder | undefined> {
  const opened = await parts.workspace.share(note.dir, name);
  return opened && { ...note, close: () => both(opened.close(), removeFolder(note.home)), leave: opened.leave };
}

type LeftAttempt = { readonly note: Note; readonly spool: string; readonly name: string };

async function seized(parts: ExecutorParts, { note, spool, name }: LeftAttempt): Promise<AttemptFolder | undefined> {
  for (const from of [note.dir, note.before]) {
    if (from === undefined) continue;
    const announce = (dir: string) => writeNote(spool, { ...note, dir, before: from });
    const taken = await parts.workspace.seize({ dir: from, name, announce });
    if (taken)
      return { ...note, dir: taken.dir, before: from, close: () => both(taken.close(), removeFolder(note.home)) };
  }
  return undefined;
}

async function both(...removals: readonly Promise<void>[]): Promise<void> {
  await Promise.all(removals);
}

const noteIn = (spool: string): string => join(spool, "attempt.json");

async function writeNote(spool: string, note: Note): Promise<void> {
  const file = noteIn(spool);
  await writeFile(`${file}.new`, JSON.stringify(note));
  await rename(`${file}.new`, file);
}

async function readNote(file: string): Promise<Note | undefined> {
  try {
    // Only writeNote makes these, and it replaces them whole.
    return JSON.parse(await readFile(file, "utf8")) as Note;
  } catch {
    return undefined;
  }
}
