import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { IndexEntry } from "./index-file.ts";
import { eachInTurn, type FolderStamps, identityOf, isAsSeen, lookAt, stampOf } from "./stamps.ts";

type Carriage = {
  /** Whoever was at work there has ended, with all that it started. */
  readonly from: string;
  /** New and empty. */
  readonly to: string;
  readonly entries: readonly IndexEntry[];
  /** As they were before anybody came to work there, as `entries`. */
  readonly folders: FolderStamps;
};

/**
 * Moves what is exactly as git laid it to another folder, and nothing else: what an agent left stays behind, whatever it
 * is. A folder to which nothing came and from which nothing went is moved whole; any other is made anew, with those
 * below it that are. The paths of the tree that are not there now.
 */
export async function carryOver({ from, to, entries, folders }: Carriage): Promise<readonly string[]> {
  const moved = await moveFolders({ from, to, folders });
  const missing: IndexEntry[] = [];
  const changed: string[] = [];
  await eachInTurn(
    entries.filter(({ kind }) => kind !== "folder"),
    (entry) => {
      // Nothing is looked at by way of a folder that could be another by now.
      const isThere = moved.has(dirname(entry.path));
      if (isThere && isAsSeen(lookAt(join(to, entry.path)), entry)) return;
      missing.push(entry);
      if (isThere) changed.push(entry.path);
    },
  );
  for (const path of changed) await rm(join(to, path), { force: true });
  return missing.map(({ path }) => path);
}

type Move = Omit<Carriage, "entries">;

/** Where folders are while they are moved. */
type Whereabouts = Pick<Carriage, "from" | "to"> & {
  /** Those that were moved whole, or lie in one that was. */
  readonly whole: Set<string>;
  /** Of those that are made anew: where the former one is, with what is below it. */
  readonly former: Map<string, string>;
};

const TOP = ".";

/** Those that were moved whole. */
async function moveFolders({ from, to, folders }: Move): Promise<ReadonlySet<string>> {
  const known: Whereabouts = { from, to, whole: new Set(), former: new Map([[TOP, from]]) };
  // Parents come first.
  for (const [path, stamp] of folders) {
    if (await isMovedWhole(known, path, stamp)) known.whole.add(path);
    else await mkdir(join(to, path));
  }
  return known.whole;
}

async function isMovedWhole(known: Whereabouts, path: string, stamp: string): Promise<boolean> {
  const place = placeOf(known, path);
  const there = place === undefined ? undefined : lookAt(place);
  if (place === undefined || !there) return false;
  const isSame = there.isDirectory() && stampOf(there) === stamp;
  const left = isSame ? join(known.to, path) : outOfTheWay(known, path, place);
  if (left !== place) await rename(place, left);
  // Something came to it or went from it: what is below it may still be as it was.
  if (!isSame && there.isDirectory() && stamp.startsWith(identityOf(there))) known.former.set(path, left);
  return isSame;
}

/** Undefined where the one above is another by now, or gone: nothing is looked at by way of it. */
function placeOf({ to, whole, former }: Whereabouts, path: string): string | undefined {
  const above = dirname(path);
  if (whole.has(above)) return join(to, path);
  const source = former.get(above);
  return source === undefined ? undefined : join(source, basename(path));
}

/** What came along with a folder that was moved whole goes back to where all that is left behind is. */
function outOfTheWay({ from, to }: Whereabouts, path: string, place: string): string {
  return place === join(to, path) ? join(from, `.left-${randomUUID()}`) : place;
}
