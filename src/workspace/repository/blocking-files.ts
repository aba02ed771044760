import type { Dirent } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { isGitName } from "./path-inside.ts";
import { type FolderFindings, joinPath, walkFolders } from "./walk-folders.ts";

/** Git reads it line by line; a list of every file of a large project is much smaller. */
const MOST_OF_ATTRIBUTES = 16 * 1024 * 1024;
/** Usually ignored, so git does not enter it, and often larger than everything else. */
const SKIPPED_FOLDER = "node_modules";

const ATTRIBUTES = ".gitattributes";
/** Files that git opens to detect a nested repository and its commit. */
const REPOSITORY_FILES = new Set(["HEAD", "packed-refs", "config", "commondir", "gitdir"]);

/**
 * Lists files that would block git: FIFOs and devices that it opens unchecked, and huge attributes files. Skips the
 * folder's own `.git`, which the engine does not use.
 */
export async function listBlockingFiles(dir: string): Promise<readonly string[]> {
  const found = await walkFolders<string>(dir, (folder, entries) => visitFolder(dir, folder, entries));
  return [...found].sort();
}

/** Throws before git reads an agent's folder that contains a blocking file. */
export async function refuseBlockingFiles(dir: string): Promise<void> {
  const [first] = await listBlockingFiles(dir);
  if (first === undefined) return;
  throw createFolderUnreadableError(`git cannot read ${first} (a FIFO, a device, or far too large)`);
}

export function createFolderUnreadableError(what: string): SignalboxError {
  const hint = "Remove the file that blocks git, and keep ignore files short.";
  return new SignalboxError("FOLDER_UNREADABLE", `The folder's changes were not taken: ${what}`, hint);
}

async function visitFolder(dir: string, folder: string, entries: readonly Dirent[]): Promise<FolderFindings<string>> {
  const path = (name: string) => joinPath(folder, name);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== SKIPPED_FOLDER);
  const opened = entries.filter((entry) => isOpenedByGit(path(entry.name)));
  const special = opened.filter((entry) => !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink());
  const attributes = opened.filter((entry) => entry.isFile() && entry.name === ATTRIBUTES);
  const sizes = await Promise.all(attributes.map(({ name }) => getFileSize(join(dir, path(name)))));
  const huge = attributes.filter((_entry, at) => (sizes[at] ?? 0) > MOST_OF_ATTRIBUTES);
  return {
    folders: folders.map(({ name }) => path(name)).filter((each) => each !== ".git"),
    held: [...special, ...huge].map(({ name }) => path(name)),
  };
}

/** A file `.git` can make any folder a repository, so names are checked everywhere. */
function isOpenedByGit(path: string): boolean {
  const name = basename(path);
  if (name === ATTRIBUTES || REPOSITORY_FILES.has(name)) return true;
  return path.split("/").some((part, at) => part === "refs" || (at > 0 && isGitName(part)));
}

async function getFileSize(file: string): Promise<number> {
  return (await lstat(file).catch(() => undefined))?.size ?? 0;
}
