import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** How many folders are read together. */
const READERS = 32;

/** What is found in one folder, and which of its folders are looked into next, by their paths from the start. */
export type Look<T> = { readonly folders: readonly string[]; readonly held: readonly T[] };
export type LookInto<T> = (folder: string, entries: readonly Dirent[]) => Look<T> | Promise<Look<T>>;

/** Everything that is found in a folder and those below, level by level; `isOver` ends it between two of them. */
export async function foundBelow<T>(dir: string, look: LookInto<T>, isOver = () => false): Promise<readonly T[]> {
  const found: T[] = [];
  let level: readonly string[] = [""];
  while (level.length > 0 && !isOver()) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at += READERS) {
      const looks = level.slice(at, at + READERS).map(async (folder) => look(folder, await entriesOf(dir, folder)));
      for (const { folders, held } of await Promise.all(looks)) {
        next.push(...folders);
        found.push(...held);
      }
    }
    level = next;
  }
  return found;
}

export function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

// One that is too deep to be named, or closed, is so for git too.
function entriesOf(dir: string, folder: string): Promise<Dirent[]> {
  return readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
}
