import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Part } from "../../core/ports/workspace.ts";
import type { Store } from "../repository/store.ts";
import { ownerIsGone, ownerMark } from "./owner.ts";

const ENDING = ".owner";

/** Who works in a folder, and for whom. Kept where no agent reaches it. */
export type AttemptNote = {
  readonly file: string;
  readonly owner: string;
  readonly dir: string;
  readonly name: string;
  /** Where only a part of a tree is in it. */
  readonly part?: Part | undefined;
};

type Noted = Pick<AttemptNote, "dir" | "name" | "part">;

export function noteFile(store: Store, dir: string): string {
  return join(store.dir, "scratch", `${basename(dir)}${ENDING}`);
}

/** Whose folder it is while nobody works in it. */
export const WARM = "warm";

/** The owner of what was left for others. */
export const NOBODY = "nobody";

/** Before the folder exists: one without a note would be nobody's for ever. */
export async function noteAttempt(store: Store, { dir, name, part }: Noted, owner = ownerMark()): Promise<void> {
  const file = noteFile(store, dir);
  await writeFile(`${file}.new`, `${owner}\n${JSON.stringify({ dir, name, part })}\n`);
  await rename(`${file}.new`, file);
}

export async function noteOf(store: Store, dir: string): Promise<AttemptNote | undefined> {
  return (await attemptNotes(store)).find((each) => each.dir === dir);
}

/** True where nobody can still be at work in it. */
export function isLeft({ owner }: AttemptNote): boolean {
  return owner === NOBODY || ownerIsGone(owner);
}

export async function attemptNotes(store: Store): Promise<AttemptNote[]> {
  const scratch = join(store.dir, "scratch");
  const names = (await readdir(scratch)).filter((name) => name.endsWith(ENDING));
  const notes = await Promise.all(names.map((name) => readNote(join(scratch, name))));
  return notes.filter((note) => note !== undefined);
}

async function readNote(file: string): Promise<AttemptNote | undefined> {
  const [owner = "", body] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  // Gone meanwhile, or being written at this moment.
  if (body === undefined || body === "") return undefined;
  // Written by `noteAttempt` alone.
  return { file, owner, ...(JSON.parse(body) as Noted) };
}

/** A name begins with its run's id, and goes on with what no id has. */
export function belongsTo(name: string, run: string): boolean {
  return (
    name === run ||
    name.startsWith(`${run}/`) ||
    (name.startsWith(`${run}-`) && /^[0-9a-f]{16}$/.test(name.slice(run.length + 1)))
  );
}
