import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { IndexEntry } from "./index-file.ts";
import { type FolderStamps, formatIdentity, formatStamp, isUnchanged, statPath, visitInBatches } from "./stamps.ts";

type CarryOverOrder = {
  /** All processes that worked there have ended. */
  readonly from: string;
  /** New and empty. */
  readonly to: string;
  readonly entries: readonly IndexEntry[];
  /** Stamps from before the work, like `entries`. */
  readonly folders: FolderStamps;
};

/**
 * Moves files that are unchanged since git wrote them to another folder; everything else stays behind. A folder without
 * added or removed entries is moved as a whole; any other is recreated, and its unchanged subfolders are moved. Returns
 * the paths of the tree that are missing now.
 */
export async function moveUnchanged({ from, to, entries, folders }: CarryOverOrder): Promise<readonly string[]> {
  const moved = await moveFolders({ from, to, folders });
  const missing: IndexEntry[] = [];
  const changed: string[] = [];
  await visitInBatches(
    entries.filter(({ kind }) => kind !== "folder"),
    (entry) => {
      // Never accesses a path through a folder that may have been replaced.
      const isThere = moved.has(dirname(entry.path));
      if (isThere && isUnchanged(statPath(join(to, entry.path)), entry)) return;
      missing.push(entry);
      if (isThere) changed.push(entry.path);
    },
  );
  for (const path of changed) await rm(join(to, path), { force: true });
  return missing.map(({ path }) => path);
}

type FolderMove = Omit<CarryOverOrder, "entries">;

/** Locations of folders during the move. */
type FolderLocations = Pick<CarryOverOrder, "from" | "to"> & {
  /** Folders that were moved whole, or are inside one that was. */
  readonly whole: Set<string>;
  /** The old locations of folders that are recreated. */
  readonly former: Map<string, string>;
};

const TOP = ".";

/** The folders that were moved whole. */
async function moveFolders({ from, to, folders }: FolderMove): Promise<ReadonlySet<string>> {
  const known: FolderLocations = { from, to, whole: new Set(), former: new Map([[TOP, from]]) };
  // Parents come first.
  for (const [path, stamp] of folders) {
    if (await moveWhole(known, path, stamp)) known.whole.add(path);
    else await mkdir(join(to, path));
  }
  return known.whole;
}

async function moveWhole(known: FolderLocations, path: string, stamp: string): Promise<boolean> {
  const place = locateFolder(known, path);
  const there = place === undefined ? undefined : statPath(place);
  if (place === undefined || !there) return false;
  const isSame = there.isDirectory() && formatStamp(there) === stamp;
  const left = isSame ? join(known.to, path) : getLeftoverPath(known, path, place);
  if (left !== place) await rename(place, left);
  // Entries were added or removed, but subfolders may be unchanged.
  if (!isSame && there.isDirectory() && stamp.startsWith(formatIdentity(there))) known.former.set(path, left);
  return isSame;
}

/** Returns undefined if the parent was replaced or is gone, because nothing is accessed through it. */
function locateFolder({ to, whole, former }: FolderLocations, path: string): string | undefined {
  const above = dirname(path);
  if (whole.has(above)) return join(to, path);
  const source = former.get(above);
  return source === undefined ? undefined : join(source, basename(path));
}

/** Moves an unknown entry out of a folder that was moved whole, back to the old location. */
function getLeftoverPath({ from, to }: FolderLocations, path: string, place: string): string {
  return place === join(to, path) ? join(from, `.left-${randomUUID()}`) : place;
}
