import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

type EntryKind = "file" | "folder" | "link" | "other";

/**
 * Lists everything below a folder, by path. Links are listed and never followed; `enters` excludes a path and
 * everything below.
 */
export async function listFolderEntries(
  dir: string,
  enters: (path: string) => boolean = () => true,
): Promise<ReadonlyMap<string, EntryKind>> {
  const found = new Map<string, EntryKind>();
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of await readdir(join(dir, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (!enters(path)) continue;
      const kind = getEntryKind(entry);
      found.set(path, kind);
      if (kind === "folder") open.push(path);
    }
  }
  return found;
}

type EntryStat = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean };

export function getEntryKind(told: EntryStat): EntryKind {
  if (told.isSymbolicLink()) return "link";
  if (told.isDirectory()) return "folder";
  return told.isFile() ? "file" : "other";
}

/** Returns the kind of the path itself, not of a link's target; undefined if it does not exist. */
export async function readEntryKind(path: string): Promise<EntryKind | undefined> {
  const there = await lstat(path).catch(() => undefined);
  return there && getEntryKind(there);
}
