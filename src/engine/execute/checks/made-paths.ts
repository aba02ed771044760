import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { entriesIn, kindOf } from "../setup/folder-entries.ts";

/** Every path of a checkout with what changes when it is written to. */
export type PathStamps = ReadonlyMap<string, string>;

export async function pathStampsIn(dir: string): Promise<PathStamps> {
  const paths = [...(await entriesIn(dir, (path) => path !== ".git")).keys()];
  return new Map(await Promise.all(paths.map(async (path) => [path, await stampOf(join(dir, path))] as const)));
}

/** What was put beside what was there before, topmost paths only; undefined when that itself was changed or removed. */
export async function madeSince(dir: string, before: PathStamps): Promise<readonly string[] | undefined> {
  const made: string[] = [];
  const still = await entriesIn(dir, (path) => {
    if (before.has(path)) return true;
    if (path !== ".git") made.push(path);
    return false;
  });
  if (still.size < before.size) return undefined;
  for (const [path, stamp] of before) if ((await stampOf(join(dir, path))) !== stamp) return undefined;
  return made.sort();
}

/** A folder changes whenever something is put into it; of all else the time of change cannot be set back. */
async function stampOf(path: string): Promise<string> {
  const there = await lstat(path, { bigint: true });
  const { mode, ino, size, ctimeNs } = there;
  const kind = kindOf(there);
  return kind === "folder" ? `${kind} ${mode}` : [kind, mode, ino, size, ctimeNs].join(" ");
}
