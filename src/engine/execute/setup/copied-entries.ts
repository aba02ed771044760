import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readFile, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { getEntryKind, listFolderEntries, readEntryKind } from "./folder-entries.ts";

/** One entry that a set-up created, with everything that a check could notice of it. */
export const SetupEntry = z.object({
  path: z.string(),
  kind: z.enum(["file", "folder", "link"]),
  /** The hash of a file's content, or the target of a link. */
  content: z.string().optional(),
  mode: z.number(),
});
export type SetupEntry = z.infer<typeof SetupEntry>;

/** Lists folders before their contents; undefined if an entry cannot be copied, such as a socket. */
export async function readSetupEntries(
  dir: string,
  made: readonly string[],
): Promise<readonly SetupEntry[] | undefined> {
  const paths: string[] = [];
  for (const top of made) {
    paths.push(top);
    if ((await readEntryKind(join(dir, top))) !== "folder") continue;
    paths.push(...[...(await listFolderEntries(join(dir, top))).keys()].map((path) => `${top}/${path}`));
  }
  const entries = await mapConcurrently(paths, async (path) => readSetupEntry(dir, path));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

async function readSetupEntry(dir: string, path: string): Promise<SetupEntry | undefined> {
  const there = await lstat(join(dir, path));
  const kind = getEntryKind(there);
  if (kind === "other") return undefined;
  const mode = there.mode & 0o777;
  if (kind === "folder") return { path, kind, mode };
  const content = kind === "link" ? await readlink(join(dir, path)) : await hashFile(join(dir, path));
  return { path, kind, content, mode };
}

/** Copies entries. Returns false if a copy differs from its entry. */
export async function copyEntries(from: string, to: string, entries: readonly SetupEntry[]): Promise<boolean> {
  const folders = entries.filter(({ kind }) => kind === "folder");
  const top = new Set(entries.map(({ path }) => dirname(path)));
  for (const path of top) await mkdir(join(to, path), { recursive: true });
  for (const { path } of folders) await mkdir(join(to, path), { recursive: true });
  const others = entries.filter(({ kind }) => kind !== "folder");
  const fits = await mapConcurrently(others, (entry) =>
    copyOne(join(from, entry.path), join(to, entry.path), entry),
  ).catch(() => [false]);
  for (const { path, mode } of folders.toReversed()) await chmod(join(to, path), mode | 0o700);
  return fits.every((fit) => fit);
}

/** Makes files read-only. Folders stay writable, so that the cache can be cleared. */
export async function protectFiles(dir: string, entries: readonly SetupEntry[]): Promise<void> {
  const files = entries.filter(({ kind }) => kind === "file");
  await mapConcurrently(files, ({ path, mode }) => chmod(join(dir, path), mode & ~0o222));
}

async function copyOne(from: string, to: string, { kind, content = "", mode }: SetupEntry): Promise<boolean> {
  if (kind === "link") {
    await symlink(content, to);
    return true;
  }
  if ((await readEntryKind(from)) !== "file") return false;
  // Shares blocks if the file system can; a later write gets its own.
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await chmod(to, mode | 0o400);
  return (await hashFile(to)) === content;
}

/** Reads small files as a whole: opening a stream for each of many thousand files takes longer than hashing them. */
async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  if ((await lstat(file)).size <= SMALL) return hash.update(await readFile(file)).digest("hex");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

const SMALL = 8 * 1024 * 1024;
const AT_ONCE = 16;

async function mapConcurrently<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const processNext = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) results[at] = await work(all[at] as T); // below its length
  };
  await Promise.all(Array.from({ length: AT_ONCE }, processNext));
  return results;
}
