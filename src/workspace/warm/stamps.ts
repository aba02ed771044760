import { type BigIntStats, lstatSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStat, IndexEntry } from "./index-file.ts";

/** Every folder of a checkout, parents first, with a stamp that changes when an entry is added, removed or moved. */
export type FolderStamps = ReadonlyMap<string, string>;

/** Number of items processed before yielding. */
const BATCH_SIZE = 256;

/** Synchronous in batches: for many thousand files this takes a fifth of the time of one promise per file. */
export async function visitInBatches<T>(all: Iterable<T>, look: (one: T) => void): Promise<void> {
  let done = 0;
  for (const one of all) {
    look(one);
    done += 1;
    if (done % BATCH_SIZE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function stampFolders(dir: string, entries: readonly IndexEntry[]): Promise<FolderStamps> {
  const stamps = new Map<string, string>();
  await visitInBatches(listFolderPaths(entries), (path) => {
    const there = statPath(join(dir, path));
    if (there?.isDirectory()) stamps.set(path, formatStamp(there));
  });
  return stamps;
}

function listFolderPaths(entries: readonly IndexEntry[]): readonly string[] {
  const folders = new Set<string>();
  for (const { path, kind } of entries) {
    if (kind === "folder") folders.add(path);
    for (let above = dirname(path); above !== "." && !folders.has(above); above = dirname(above)) folders.add(above);
  }
  // A parent's name is a prefix of its children's, so sorting puts it first.
  return [...folders].sort();
}

export function statPath(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * The owner of a file cannot reset its change time: any write, link, or change of permissions or attributes changes it.
 */
export function formatStamp(there: BigIntStats): string {
  const { mode, uid, gid, ctimeNs, mtimeNs } = there;
  return `${formatIdentity(there)}${[mode, uid, gid, ctimeNs, mtimeNs].join(" ")}`;
}

/** The prefix of a stamp, which identifies the folder whatever its content. */
export function formatIdentity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino} `;
}

export function isUnchanged(there: BigIntStats | undefined, { kind, seen }: IndexEntry): boolean {
  if (!there || !(kind === "link" ? there.isSymbolicLink() : there.isFile())) return false;
  return there.nlink === 1n && isSameStat(there, seen);
}

const BITS = 0xffff_ffffn;

export function toFileStat({ ctimeNs, mtimeNs, ino, uid, gid, size }: BigIntStats): FileStat {
  const [inode = 0, user = 0, group = 0, bytes = 0] = [ino, uid, gid, size].map((value) => Number(value & BITS));
  return { ctime: ctimeNs, mtime: mtimeNs, inode, user, group, size: bytes };
}

function isSameStat(there: BigIntStats, seen: FileStat): boolean {
  const now = toFileStat(there);
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
 * Waits for one tick of the disk's clock, so that every later change has a later time. Returns false if the clock has a
 * resolution of seconds, which could hide a change.
 */
export async function waitForClockTick(scratch: string): Promise<boolean> {
  const file = join(scratch, `clock-${process.pid}-${process.hrtime.bigint()}`);
  try {
    const first = await readDiskTime(file);
    if (first % SECOND === 0n) return false;
    for (let now = first; now <= first; ) now = await readDiskTime(file);
    return true;
  } finally {
    await rm(file, { force: true });
  }
}

async function readDiskTime(file: string): Promise<bigint> {
  await writeFile(file, "");
  return (await stat(file, { bigint: true })).ctimeNs;
}
