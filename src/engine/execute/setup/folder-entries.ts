import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

type EntryKind = "file" | "folder" | "link" | "other";

/** All that is below a folder, by path; links are named and never followed. `enters` leaves a path out, and what is below. */
export async function entriesIn(
  dir: string,
  enters: (path: string) => boolean = () => true,
): Promise<ReadonlyMap<string, EntryKind>> {
  const found = new Map<string, EntryKind>();
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of await readdir(join(dir, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (!enters(path)) continue;
      const kind = kindOf(entry);
      found.set(path, kind);
      if (kind === "folder") open.push(path);
    }
  }
  return found;
}

type EntryStat = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean };

export function kindOf(told: EntryStat): EntryKind {
  if (told.isSymbolicLink()) return "link";
  if (told.isDirectory()) return "folder";
  return told.isFile() ? "file" : "other";
}

/** Of the path itself, not of what a link leads to; undefined where there is nothing. */
export async function kindAt(path: string): Promise<EntryKind | undefined> {
  const there = await lstat(path).catch(() => undefined);
  return there && kindOf(there);
}
