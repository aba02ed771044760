import type { Dirent } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { foundBelow, type Look, pathIn } from "./below.ts";
import { isGitName } from "./inside.ts";

/** Git reads it line by line; a list of every file of a large project is far below. */
const MOST_OF_ATTRIBUTES = 16 * 1024 * 1024;
/** Ignored nearly everywhere, so that git keeps out of it, and often larger than all the rest. */
const LEFT_ALONE = "node_modules";

const ATTRIBUTES = ".gitattributes";
/** What git opens to find out whether a folder is a repository of its own, and at which commit. */
const OF_REPOSITORIES = new Set(["HEAD", "packed-refs", "config", "commondir", "gitdir"]);

/**
 * Where git would stand still for ever: files that it opens without looking, and that are pipes or devices. Also an
 * attributes file that nobody wrote by hand. The folder's own `.git` is not among them: the engine never asks it.
 */
export async function standstillsIn(dir: string): Promise<readonly string[]> {
  const found = await foundBelow<string>(dir, (folder, entries) => lookInto(dir, folder, entries));
  return [...found].sort();
}

/** Before git looks at what an agent has left. */
export async function needsNoStandstill(dir: string): Promise<void> {
  const [first] = await standstillsIn(dir);
  if (first === undefined) return;
  throw unreadable(`${first} is no file that git could read (a pipe, a device, or far too large)`);
}

export function unreadable(what: string): SignalboxError {
  const hint = "Remove what is in git's way there, and keep ignore files short.";
  return new SignalboxError("FOLDER_UNREADABLE", `Nothing was taken from the folder: ${what}`, hint);
}

async function lookInto(dir: string, folder: string, entries: readonly Dirent[]): Promise<Look<string>> {
  const path = (name: string) => pathIn(folder, name);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== LEFT_ALONE);
  const opened = entries.filter((entry) => isOpened(path(entry.name)));
  const special = opened.filter((entry) => !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink());
  const attributes = opened.filter((entry) => entry.isFile() && entry.name === ATTRIBUTES);
  const sizes = await Promise.all(attributes.map(({ name }) => sizeOf(join(dir, path(name)))));
  const huge = attributes.filter((_entry, at) => (sizes[at] ?? 0) > MOST_OF_ATTRIBUTES);
  return {
    folders: folders.map(({ name }) => path(name)).filter((each) => each !== ".git"),
    held: [...special, ...huge].map(({ name }) => path(name)),
  };
}

/** By a file `.git` any folder can be called a repository, so names count and not only places. */
function isOpened(path: string): boolean {
  const name = basename(path);
  if (name === ATTRIBUTES || OF_REPOSITORIES.has(name)) return true;
  return path.split("/").some((part, at) => part === "refs" || (at > 0 && isGitName(part)));
}

async function sizeOf(file: string): Promise<number> {
  return (await lstat(file).catch(() => undefined))?.size ?? 0;
}
