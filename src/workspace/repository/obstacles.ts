import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { joinPath, type VisitFolder, walkFolders } from "./walk-folders.ts";

export type GitCall = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> };

/** A file that git opens by itself and that blocks or never ends. */
export type GitObstacle = { readonly path: string; readonly kind: "pipe" | "device" };

/** Files that git reads in every folder of a checkout. */
const READ_EVERYWHERE = new Set([".gitignore", ".gitattributes", ".gitmodules", ".mailmap"]);

/** Finds what a git call waits for: in the checkout, in git's own folders, or among its settings. */
export async function findObstacle(call: GitCall, isOver = () => false): Promise<GitObstacle | undefined> {
  const top = call.env["GIT_WORK_TREE"] ?? findTop(call.cwd);
  const own = call.env["GIT_DIR"] ?? (top === undefined ? call.cwd : readGitDir(top));
  const folders = [own, readCommonDir(own), call.env["GIT_OBJECT_DIRECTORY"] ?? own];
  for (const settings of listSettingsFiles(call, folders)) {
    const found = await checkObstacle(settings);
    if (found) return found;
  }
  for (const folder of new Set(folders)) {
    const found = await findObstacleIn(folder, visitEverything, isOver);
    if (found) return found;
  }
  return top === undefined ? undefined : findObstacleIn(top, visitReadFiles, isOver);
}

/** An error that names the file to remove. */
export function createBlockedError(command: string, { path, kind }: GitObstacle): SignalboxError {
  const message = `git ${command} is blocked by ${path}: git reads that file by itself, and it is a ${kind} instead of a file`;
  return new SignalboxError("CHECKOUT_UNREADABLE", message, `Remove it, or replace it with a file: rm ${path}`);
}

/** For a timeout without a blocking file. */
export function createTimeoutError(command: string, dir: string, mostMs: number): SignalboxError {
  const message = `git ${command} did not finish within ${mostMs / 60_000} minutes in ${dir} and was ended`;
  const hint = `Try \`git -C ${dir} status\`: an unresponsive disk or network folder is the usual cause.`;
  return new SignalboxError("CHECKOUT_UNREADABLE", message, hint);
}

const visitEverything: VisitFolder<string> = (folder, entries) => ({
  folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => joinPath(folder, name)),
  held: entries.filter((entry) => !entry.isDirectory() && !entry.isFile()).map(({ name }) => joinPath(folder, name)),
});

/** Checks everything inside nested repositories, because git reads their state. Elsewhere git follows no links. */
const visitReadFiles: VisitFolder<string> = (folder, entries) => {
  if (folder.split("/").includes(".git")) return visitEverything(folder, entries);
  const named = entries.filter(({ name }) => READ_EVERYWHERE.has(name));
  const below = entries.filter((entry) => entry.isDirectory() && joinPath(folder, entry.name) !== ".git");
  return {
    folders: below.map(({ name }) => joinPath(folder, name)),
    held: named.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => joinPath(folder, name)),
  };
};

async function findObstacleIn(
  dir: string,
  look: VisitFolder<string>,
  isOver: () => boolean,
): Promise<GitObstacle | undefined> {
  const suspects = [...(await walkFolders(dir, look, isOver))].sort();
  const found = await Promise.all(suspects.map((path) => checkObstacle(join(dir, path))));
  return found.find((each) => each !== undefined);
}

/** Follows links, as git does. Sockets fail at once and do not block. */
async function checkObstacle(path: string): Promise<GitObstacle | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFIFO()) return { path, kind: "pipe" };
  // /dev/null is the usual way to disable a setting.
  return found?.isCharacterDevice() && path !== "/dev/null" ? { path, kind: "device" } : undefined;
}

function findTop(dir: string): string | undefined {
  if (existsSync(join(dir, ".git"))) return dir;
  return dirname(dir) === dir ? undefined : findTop(dirname(dir));
}

function readGitDir(top: string): string {
  const read = readThroughLinks(join(top, ".git"));
  const named = read.ok ? /^gitdir: (.*)$/m.exec(read.text)?.[1] : undefined;
  return named === undefined ? join(top, ".git") : resolve(top, named);
}

function readCommonDir(gitDir: string): string {
  const read = readThroughLinks(join(gitDir, "commondir"));
  return read.ok ? resolve(gitDir, read.text.trim()) : gitDir;
}

/**
 * Lists the settings files that the call reads, and the files they name: further settings, ignore files, attributes.
 */
function listSettingsFiles({ env }: GitCall, gitDirs: readonly string[]): ReadonlySet<string> {
  const home = env["HOME"];
  const own = env["XDG_CONFIG_HOME"] ?? (home === undefined ? undefined : join(home, ".config"));
  const personal = [env["GIT_CONFIG_GLOBAL"], home && join(home, ".gitconfig"), own && join(own, "git/config")];
  const handed = Object.entries(env).flatMap(([name, value]) => (name.startsWith("GIT_CONFIG_VALUE_") ? [value] : []));
  const lists = own ? [join(own, "git/ignore"), join(own, "git/attributes")] : [];
  const first = [...personal, ...handed, ...lists].flatMap((path) => (path && isAbsolute(path) ? [path] : []));
  const files = new Set([...first, ...gitDirs.map((dir) => join(dir, "config"))]);
  // A set can grow during iteration, so nested includes are found too.
  for (const file of files) {
    if (files.size > MOST_SETTINGS) break;
    for (const named of listNamedFiles(file, home)) files.add(named);
  }
  return files;
}

/** More than any real configuration includes. */
const MOST_SETTINGS = 1_000;

const NAMES_A_FILE = /^\s*(?:path|excludesfile|attributesfile)\s*=\s*"?([^"\n]*?)"?\s*$/gim;

function listNamedFiles(file: string, home = "/"): readonly string[] {
  const read = readThroughLinks(file);
  const named = read.ok ? [...read.text.matchAll(NAMES_A_FILE)].map((match) => match[1] ?? "") : [];
  return named.filter(Boolean).map((path) => resolve(dirname(file), path.replace(/^~(?=\/)/, home)));
}
