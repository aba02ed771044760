import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Number of folders read concurrently. */
const READERS = 32;

/** The findings in one folder and the subfolders to visit next, as paths from the start. */
export type FolderFindings<T> = { readonly folders: readonly string[]; readonly held: readonly T[] };
export type VisitFolder<T> = (
  folder: string,
  entries: readonly Dirent[],
) => FolderFindings<T> | Promise<FolderFindings<T>>;

/** Walks a folder level by level and collects findings; `isOver` ends the walk between two levels. */
export async function walkFolders<T>(dir: string, look: VisitFolder<T>, isOver = () => false): Promise<readonly T[]> {
  const found: T[] = [];
  let level: readonly string[] = [""];
  while (level.length > 0 && !isOver()) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at += READERS) {
      const looks = level.slice(at, at + READERS).map(async (folder) => look(folder, await readEntries(dir, folder)));
      for (const { folders, held } of await Promise.all(looks)) {
        next.push(...folders);
        found.push(...held);
      }
    }
    level = next;
  }
  return found;
}

export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

// A folder that is too deep or not readable is unreadable for git too.
function readEntries(dir: string, folder: string): Promise<Dirent[]> {
  return readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
}
