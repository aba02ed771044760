import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptResult, Effect } from "../../core/effect.ts";
import { SignalboxError } from "../../core/errors.ts";
import { HOME_FOLDERS } from "../../core/ports/driver.ts";
import { type Desk, isNameOf, spoolOf } from "./desk.ts";
import type { PerformerParts } from "./performer.ts";

/** Where an attempt works, and what a later engine must know to take its work or go on with it. */
export type Place = Note & {
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
  readonly result?: AttemptResult;
};

/** A folder with the tree of the request, and an empty home. */
export async function newPlace(parts: PerformerParts, effect: Effect<"attempt">, desk: Desk): Promise<Place> {
  const { tree, rendered } = effect.request;
  const home = join(parts.cache, "homes", desk.name);
  const furnished = furnish(desk, home);
  const opened = await parts.workspace.render(tree, rendered);
  const [{ dir, close, leave }] = await Promise.all([parts.workspace.open(opened, desk.name), furnished]);
  const note: Note = { dir, home, opened, driver: desk.definition.driver.name };
  await writeNote(desk.spool, note);
  return { ...note, leave, close: () => both(close(), remove(home)) };
}

/** While git is at work on the tree: one after the other they would cost a tenth of what starting an agent does. */
async function furnish({ spool }: Desk, home: string): Promise<void> {
  const folders = Object.values(HOME_FOLDERS).map((folder) => join(home, folder));
  await Promise.all([home, spool, ...folders].map((folder) => mkdir(folder, FOLDER)));
}

const FOLDER = { recursive: true, mode: 0o700 } as const;

/** The place of the attempt that this one goes on with; undefined where it is gone, or not for this driver. */
export async function inheritedPlace(
  parts: PerformerParts,
  effect: Effect<"attempt">,
  desk: Desk,
): Promise<Place | undefined> {
  const { continues } = effect.request;
  if (!continues) return undefined;
  const { driver } = desk.definition;
  const before = spoolOf(parts, { id: continues.effect, run: effect.run });
  const left = await ownPlace(parts, before, desk.name);
  if (!left) return removeHomeless(before).then(() => undefined);
  if (left.driver !== driver.name || !driver.session) return left.close().then(() => undefined);
  const { result: _result, close, leave, ...note } = left;
  const taken = { ...note, session: continues.session };
  await mkdir(desk.spool, FOLDER);
  await writeNote(desk.spool, taken);
  // Only one attempt ever answers for a place.
  await remove(noteIn(before));
  return { ...taken, close, leave };
}

/** A home is of no use without the folder that it was for. */
async function removeHomeless(spool: string): Promise<void> {
  const note = await readNote(noteIn(spool));
  if (note && !existsSync(note.dir)) await remove(note.home);
}

/** What this attempt had opened or taken over before its engine was gone. */
export async function leftPlace(
  parts: PerformerParts,
  effect: Effect<"attempt">,
  desk: Desk,
): Promise<Place | undefined> {
  return (await placeIn(parts, desk.spool, desk.name)) ?? (await inheritedPlace(parts, effect, desk));
}

/**
 * Before the folder goes: an engine that dies while it is removed must not leave half of it to be judged again. A result
 * stands only if the folder was this engine's until the end: one who takes it says so before anything moves.
 */
export async function keepResult(
  { spool }: Desk,
  { close: _close, leave: _leave, ...note }: Place,
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
export async function putAside({ spool }: Desk): Promise<void> {
  await rename(spool, `${spool}-refused`);
}

/** A run that has ended leaves nothing behind that somebody could go on with. */
export async function removePlaces(parts: Pick<PerformerParts, "workspace" | "cache">, run: string): Promise<void> {
  await parts.workspace.abandon(run);
  const homes = join(parts.cache, "homes");
  const names = await readdir(homes).catch(() => []);
  await Promise.all(names.filter((name) => isNameOf(name, run)).map((name) => remove(join(homes, name))));
}

type OwnPlace = Place & Required<Pick<Place, "leave">>;

/** As it is, where nobody else can be in it. */
async function ownPlace(parts: PerformerParts, spool: string, name: string): Promise<OwnPlace | undefined> {
  const note = await readNote(noteIn(spool));
  const reopened = note && (await parts.workspace.reopen(note.dir, name));
  if (!note || !reopened) return undefined;
  return { ...note, close: () => both(reopened.close(), remove(note.home)), leave: reopened.leave };
}

/** Output that is complete can be taken even from a folder whose owner may live: by then it is his no longer. */
async function placeIn(parts: PerformerParts, spool: string, name: string): Promise<Place | undefined> {
  const own = await ownPlace(parts, spool, name);
  if (own) return own;
  const note = await readNote(noteIn(spool));
  if (!note || note.result) return note && bare(note);
  const taken = await seized(parts, { note, spool, name });
  if (taken) return taken;
  // Who finishes before it can be taken from him has noted his result first.
  const last = await readNote(noteIn(spool));
  if (last?.result) return bare(last);
  await remove(note.home);
  return undefined;
}

/** Of a finished attempt the result is enough; its folder is removed by whoever wrote it, or with the run. */
function bare(note: Note): Place {
  return { ...note, close: () => remove(note.home) };
}

type Holding = { readonly note: Note; readonly spool: string; readonly name: string };

async function seized(parts: PerformerParts, { note, spool, name }: Holding): Promise<Place | undefined> {
  for (const from of [note.dir, note.before]) {
    if (from === undefined) continue;
    const announce = (dir: string) => writeNote(spool, { ...note, dir, before: from });
    const taken = await parts.workspace.seize({ dir: from, name, announce });
    if (taken) return { ...note, dir: taken.dir, before: from, close: () => both(taken.close(), remove(note.home)) };
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

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
