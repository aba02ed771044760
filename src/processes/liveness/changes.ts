import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * A text that is another one as soon as something in the folder has changed, whoever did it: files that grow, come and
 * go. It looks folder by folder from the top and no further than a fixed number of entries, so that installed packages
 * cost no more than a moment. What git keeps for itself is left out, because a look at the state of a repository writes
 * there; so is the folder `except`, which is ours.
 */
export async function traceOf(dir: string, { except, most = MOST_ENTRIES }: TraceOptions): Promise<string> {
  let entries = 0;
  let times = 0;
  let level = [dir];
  while (level.length > 0) {
    const next: string[] = [];
    for (const folder of level) {
      const room = most - entries;
      if (room <= 0) return traced(entries, times);
      const found = await entriesOf(folder, room);
      entries += found.length;
      for (const { path, changedMs, isFolder } of found) {
        times += changedMs % DAY_MS;
        if (isFolder && path !== except) next.push(path);
      }
    }
    level = next;
  }
  return traced(entries, times);
}

type TraceOptions = { readonly except: string; readonly most?: number };

const MOST_ENTRIES = 5_000;
/** Of each time only the part within its day counts, or the sum of many would be too large to be exact. */
const DAY_MS = 24 * 60 * 60 * 1_000;
const OF_GIT = ".git";

const traced = (entries: number, times: number): string => `${entries} ${times}`;

type Entry = { readonly path: string; readonly changedMs: number; readonly isFolder: boolean };

/** Its links are not followed: what lies elsewhere is not this folder's. */
async function entriesOf(folder: string, most: number): Promise<readonly Entry[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name !== OF_GIT).slice(0, most);
  const found = await Promise.all(
    names.map(async (name): Promise<Entry | undefined> => {
      const path = join(folder, name);
      const stat = await lstat(path).catch(() => undefined);
      return stat && { path, changedMs: stat.ctimeMs, isFolder: stat.isDirectory() };
    }),
  );
  return found.filter((entry) => entry !== undefined);
}
