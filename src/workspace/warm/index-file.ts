import { readFile } from "node:fs/promises";

/** A file, a link or the folder of a submodule that git laid, with what git saw of it at that moment. */
export type IndexEntry = {
  readonly path: string;
  readonly kind: "file" | "link" | "folder";
  readonly seen: Seen;
};

/** As git keeps it: numbers of 32 bits, times in two of them. */
export type Seen = {
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
 * What git knows about a checkout, from its own index: it saves a second look at every file. Undefined where it is of a
 * form that this program does not write, or a name in it is no text.
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
    entries.push({ path, kind, seen: seenAt(bytes, at) });
    // Padded to a multiple of eight, with one zero at least.
    at += (Math.floor((end - at) / 8) + 1) * 8;
  }
  return entries;
}

const KINDS: ReadonlyMap<number, IndexEntry["kind"]> = new Map([
  [0o10, "file"],
  [0o12, "link"],
  [0o16, "folder"],
]);

function seenAt(bytes: Buffer, at: number): Seen {
  return {
    ctime: timeAt(bytes, at),
    mtime: timeAt(bytes, at + 8),
    inode: bytes.readUInt32BE(at + 20),
    user: bytes.readUInt32BE(at + 28),
    group: bytes.readUInt32BE(at + 32),
    size: bytes.readUInt32BE(at + 36),
  };
}

function timeAt(bytes: Buffer, at: number): bigint {
  return BigInt(bytes.readUInt32BE(at)) * BILLION + BigInt(bytes.readUInt32BE(at + 4));
}
