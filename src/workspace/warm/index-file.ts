import { readFile } from "node:fs/promises";

/** A file, link or submodule folder that git wrote, with its stat data at that moment. */
export type IndexEntry = {
  readonly path: string;
  readonly kind: "file" | "link" | "folder";
  readonly seen: FileStat;
};

/** In git's format: 32-bit numbers, and times as two of them. */
export type FileStat = {
  readonly ctime: bigint;
  readonly mtime: bigint;
  readonly inode: number;
  readonly user: number;
  readonly group: number;
  readonly size: number;
};

const HEAD = 12;
const FIXED = 40;
const BILLION = 1_000_000_000n;

/**
 * Reads git's index, which saves a second stat of every file. Returns undefined for an unknown format or a name that is
 * not valid text.
 */
export async function readIndexFile(file: string, objectFormat: string): Promise<readonly IndexEntry[] | undefined> {
  const bytes = await readFile(file);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || bytes.readUInt32BE(4) !== 2) return undefined;
  const name = FIXED + (objectFormat === "sha1" ? 20 : 32) + 2;
  const entries: IndexEntry[] = [];
  let at = HEAD;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const end = bytes.indexOf(0, at + name);
    const path = bytes.toString("utf8", at + name, end);
    const kind = KINDS.get(bytes.readUInt32BE(at + 24) >> 12);
    if (end < 0 || kind === undefined || path.includes("\uFFFD")) return undefined;
    entries.push({ path, kind, seen: readStat(bytes, at) });
    // Padded with at least one zero to a multiple of eight.
    at += (Math.floor((end - at) / 8) + 1) * 8;
  }
  return entries;
}

const KINDS: ReadonlyMap<number, IndexEntry["kind"]> = new Map([
  [0o10, "file"],
  [0o12, "link"],
  [0o16, "folder"],
]);

function readStat(bytes: Buffer, at: number): FileStat {
  return {
    ctime: readTime(bytes, at),
    mtime: readTime(bytes, at + 8),
    inode: bytes.readUInt32BE(at + 20),
    user: bytes.readUInt32BE(at + 28),
    group: bytes.readUInt32BE(at + 32),
    size: bytes.readUInt32BE(at + 36),
  };
}

function readTime(bytes: Buffer, at: number): bigint {
  return BigInt(bytes.readUInt32BE(at)) * BILLION + BigInt(bytes.readUInt32BE(at + 4));
}
