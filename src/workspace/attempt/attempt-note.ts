import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FolderPart } from "../../core/ports/workspace.ts";
import type { GitStore } from "../repository/git-store.ts";
import { createOwnerMark, isOwnerGone } from "./owner.ts";

const NOTE_SUFFIX = ".owner";

/** The owner of a folder. Stored where no agent can reach it. */
export type AttemptNote = {
  readonly file: string;
  readonly owner: string;
  readonly dir: string;
  readonly name: string;
  /** Set if the folder contains only a part of a tree. */
  readonly part?: FolderPart | undefined;
};

type NotedFolder = Pick<AttemptNote, "dir" | "name" | "part">;

export function getNoteFile(store: GitStore, dir: string): string {
  return join(store.dir, "scratch", `${basename(dir)}${NOTE_SUFFIX}`);
}

/** The name of a folder that is kept for reuse. */
export const WARM = "warm";

/** The owner of a folder that was left for others. */
export const NO_OWNER = "nobody";

/** Written before the folder exists: a folder without a note would never be cleaned up. */
export async function writeNote(
  store: GitStore,
  { dir, name, part }: NotedFolder,
  owner = createOwnerMark(),
): Promise<void> {
  const file = getNoteFile(store, dir);
  await writeFile(`${file}.new`, `${owner}\n${JSON.stringify({ dir, name, part })}\n`);
  await rename(`${file}.new`, file);
}

export async function findNote(store: GitStore, dir: string): Promise<AttemptNote | undefined> {
  return (await listNotes(store)).find((each) => each.dir === dir);
}

/** True if no process can still be using it. */
export function isUnowned({ owner }: AttemptNote): boolean {
  return owner === NO_OWNER || isOwnerGone(owner);
}

export async function listNotes(store: GitStore): Promise<AttemptNote[]> {
  const scratch = join(store.dir, "scratch");
  const names = (await readdir(scratch)).filter((name) => name.endsWith(NOTE_SUFFIX));
  const notes = await Promise.all(names.map((name) => readNote(join(scratch, name))));
  return notes.filter((note) => note !== undefined);
}

async function readNote(file: string): Promise<AttemptNote | undefined> {
  const [owner = "", body] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  // The note is gone, or being written right now.
  if (body === undefined || body === "") return undefined;
  // Written by `writeNote` only.
  return { file, owner, ...(JSON.parse(body) as NotedFolder) };
}

/** A name starts with its run's id, followed by characters that no id contains. */
export function isOfRun(name: string, run: string): boolean {
  return (
    name === run ||
    name.startsWith(`${run}/`) ||
    (name.startsWith(`${run}-`) && /^[0-9a-f]{16}$/.test(name.slice(run.length + 1)))
  );
}
