import { type BigIntStats, lstatSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { IndexEntry, Seen } from "./index-file.ts";

/** Every folder of a checkout below its top, parents first, with what changes when an entry of it comes, goes or moves. */
export type FolderStamps = ReadonlyMap<string, string>;

/** So many are looked at before others have their turn. */
const AT_ONCE = 256;

/** Sync in portions: for many thousand files it takes a fifth of what a promise for each of them does. */
export async function eachInTurn<T>(all: Iterable<T>, look: (one: T) => void): Promise<void> {
  let done = 0;
  for (const one of all) {
    look(one);
    done += 1;
    if (done % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function folderStamps(dir: string, entries: readonly IndexEntry[]): Promise<FolderStamps> {
  const stamps = new Map<string, string>();
  await eachInTurn(foldersOf(entries), (path) => {
    const there = lookAt(join(dir, path));
    if (there?.isDirectory()) stamps.set(path, stampOf(there));
  });
  return stamps;
}

function foldersOf(entries: readonly IndexEntry[]): readonly string[] {
  const folders = new Set<string>();
  for (const { path, kind } of entries) {
    if (kind === "folder") folders.add(path);
    for (let above = dirname(path); above !== "." && !folders.has(above); above = dirname(above)) folders.add(above);
  }
  // A name is shorter than what lies below it, and text order keeps it in front.
  return [...folders].sort();
}

export function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * The time of change cannot be set back by who owns the file: whatever is written, linked, given other rights or
 * attributes has another one afterwards.
 */
export function stampOf(there: BigIntStats): string {
  const { mode, uid, gid, ctimeNs, mtimeNs } = there;
  return `${identityOf(there)}${[mode, uid, gid, ctimeNs, mtimeNs].join(" ")}`;
}

/** A stamp begins with it: which one it is, whatever became of it. */
export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino} `;
}

export function isAsSeen(there: BigIntStats | undefined, { kind, seen }: IndexEntry): boolean {
  if (!there || !(kind === "link" ? there.isSymbolicLink() : there.isFile())) return false;
  return there.nlink === 1n && same(there, seen);
}

const BITS = 0xffff_ffffn;

export function seenOf({ ctimeNs, mtimeNs, ino, uid, gid, size }: BigIntStats): Seen {
  const [inode = 0, user = 0, group = 0, bytes = 0] = [ino, uid, gid, size].map((value) => Number(value & BITS));
  return { ctime: ctimeNs, mtime: mtimeNs, inode, user, group, size: bytes };
}

function same(there: BigIntStats, seen: Seen): boolean {
  const now = seenOf(there);
  return (
    now.ctime === seen.ctime &&
    now.mtime === seen.mtime &&
    now.inode === seen.inode &&
    now.user === seen.user &&
    now.group === seen.group &&
    now.size === seen.size
  );
}

const SECOND = 1_000_000_000n;

/**
 * Waits until whatever is changed from now on has a later time than all before, which is one tick of the disk's clock.
 * False where that clock knows whole seconds only: there a change could hide in one.
 */
export async function clockTicked(scratch: string): Promise<boolean> {
  const file = join(scratch, `clock-${process.pid}-${process.hrtime.bigint()}`);
  try {
    const first = await timeOf(file);
    if (first % SECOND === 0n) return false;
    for (let now = first; now <= first; ) now = await timeOf(file);
    return true;
  } finally {
    await rm(file, { force: true });
  }
}

async function timeOf(file: string): Promise<bigint> {
  await writeFile(file, "");
  return (await stat(file, { bigint: true })).ctimeNs;
}
