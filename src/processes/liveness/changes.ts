import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns a text that changes when anything in the folder changes: files that grow, appear or disappear. Scans
 * breadth-first up to a fixed number of entries, so that installed packages take no more than a moment. Skips `.git`,
 * because reading a repository's state writes there, and the folder `except`, which the engine writes.
 */
export async function traceChanges(dir: string, { except, most = MOST_ENTRIES }: TraceOptions): Promise<string> {
  let entries = 0;
  let times = 0;
  let level = [dir];
  while (level.length > 0) {
    const next: string[] = [];
    for (const folder of level) {
      const room = most - entries;
      if (room <= 0) return formatTrace(entries, times);
      const found = await listEntries(folder, room);
      entries += found.length;
      for (const { path, changedMs, isFolder } of found) {
        times += changedMs % DAY_MS;
        if (isFolder && path !== except) next.push(path);
      }
    }
    level = next;
  }
  return formatTrace(entries, times);
}

type TraceOptions = { readonly except: string; readonly most?: number };

const MOST_ENTRIES = 5_000;
/** Each time counts modulo one day; otherwise the sum would exceed exact integers. */
const DAY_MS = 24 * 60 * 60 * 1_000;
const GIT_FOLDER = ".git";

const formatTrace = (entries: number, times: number): string => `${entries} ${times}`;

type FolderEntry = { readonly path: string; readonly changedMs: number; readonly isFolder: boolean };

/** Does not follow links, because their targets are outside this folder. */
async function listEntries(folder: string, most: number): Promise<readonly FolderEntry[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name !== GIT_FOLDER).slice(0, most);
  const found = await Promise.all(
    names.map(async (name): Promise<FolderEntry | undefined> => {
      const path = join(folder, name);
      const stat = await lstat(path).catch(() => undefined);
      return stat && { path, changedMs: stat.ctimeMs, isFolder: stat.isDirectory() };
    }),
  );
  return found.filter((entry) => entry !== undefined);
}
