import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { getEntryKind, listFolderEntries } from "../setup/folder-entries.ts";

/** Every path of a checkout, with a stamp that changes when the path is written. */
export type PathStamps = ReadonlyMap<string, string>;

export async function readPathStamps(dir: string): Promise<PathStamps> {
  const paths = [...(await listFolderEntries(dir, (path) => path !== ".git")).keys()];
  return new Map(await Promise.all(paths.map(async (path) => [path, await readStamp(join(dir, path))] as const)));
}

/** Lists what was added since, topmost paths only; undefined if an existing path was changed or removed. */
export async function listMadePaths(dir: string, before: PathStamps): Promise<readonly string[] | undefined> {
  const made: string[] = [];
  const still = await listFolderEntries(dir, (path) => {
    if (before.has(path)) return true;
    if (path !== ".git") made.push(path);
    return false;
  });
  if (still.size < before.size) return undefined;
  for (const [path, stamp] of before) if ((await readStamp(join(dir, path))) !== stamp) return undefined;
  return made.sort();
}

/** A folder changes whenever an entry is added; the change time of any other path cannot be set back. */
async function readStamp(path: string): Promise<string> {
  const there = await lstat(path, { bigint: true });
  const { mode, ino, size, ctimeNs } = there;
  const kind = getEntryKind(there);
  return kind === "folder" ? `${kind} ${mode}` : [kind, mode, ino, size, ctimeNs].join(" ");
}
