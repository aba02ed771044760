import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import { foundBelow, type LookInto, pathIn } from "./below.ts";

export type GitCall = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> };

/** A file that git opens by itself and that has no end, or no beginning. */
export type Obstacle = { readonly path: string; readonly kind: "pipe" | "device" };

/** What git reads in every folder of a checkout, whatever it is asked. */
const READ_EVERYWHERE = new Set([".gitignore", ".gitattributes", ".gitmodules", ".mailmap"]);

/** What a call of git waits for: in the checkout, in git's own folders, or among the settings that it reads. */
export async function obstacleOf(call: GitCall, isOver = () => false): Promise<Obstacle | undefined> {
  const top = call.env["GIT_WORK_TREE"] ?? topAbove(call.cwd);
  const own = call.env["GIT_DIR"] ?? (top === undefined ? call.cwd : gitDirOf(top));
  const folders = [own, commonOf(own), call.env["GIT_OBJECT_DIRECTORY"] ?? own];
  for (const settings of settingsOf(call, folders)) {
    const found = await obstacleAt(settings);
    if (found) return found;
  }
  for (const folder of new Set(folders)) {
    const found = await obstacleIn(folder, everything, isOver);
    if (found) return found;
  }
  return top === undefined ? undefined : obstacleIn(top, readByItself, isOver);
}

/** In the words of who has to remove it. */
export function waitsFor(command: string, { path, kind }: Obstacle): SignalboxError {
  const message = `git ${command} waits for ${path}: git reads that file by itself, and it is a ${kind} instead of a file`;
  return new SignalboxError("CHECKOUT_UNREADABLE", message, `Remove it, or put a file there: rm ${path}`);
}

/** Where nothing was found that it waits for. */
export function notDone(command: string, dir: string, mostMs: number): SignalboxError {
  const message = `git ${command} was not done after ${mostMs / 60_000} minutes in ${dir}, and was ended`;
  const hint = `Try \`git -C ${dir} status\`: a disk or a network folder that does not answer is the usual cause.`;
  return new SignalboxError("CHECKOUT_UNREADABLE", message, hint);
}

const everything: LookInto<string> = (folder, entries) => ({
  folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => pathIn(folder, name)),
  held: entries.filter((entry) => !entry.isDirectory() && !entry.isFile()).map(({ name }) => pathIn(folder, name)),
});

/** A repository inside is asked for its state, so all that it holds counts. Elsewhere git follows no link. */
const readByItself: LookInto<string> = (folder, entries) => {
  if (folder.split("/").includes(".git")) return everything(folder, entries);
  const named = entries.filter(({ name }) => READ_EVERYWHERE.has(name));
  const below = entries.filter((entry) => entry.isDirectory() && pathIn(folder, entry.name) !== ".git");
  return {
    folders: below.map(({ name }) => pathIn(folder, name)),
    held: named.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => pathIn(folder, name)),
  };
};

async function obstacleIn(dir: string, look: LookInto<string>, isOver: () => boolean): Promise<Obstacle | undefined> {
  const suspects = [...(await foundBelow(dir, look, isOver))].sort();
  const found = await Promise.all(suspects.map((path) => obstacleAt(join(dir, path))));
  return found.find((each) => each !== undefined);
}

/** Through links, as git goes. Sockets are refused by the system, and hold nobody up. */
async function obstacleAt(path: string): Promise<Obstacle | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFIFO()) return { path, kind: "pipe" };
  // What is empty at once is how a setting is switched off.
  return found?.isCharacterDevice() && path !== "/dev/null" ? { path, kind: "device" } : undefined;
}

function topAbove(dir: string): string | undefined {
  if (existsSync(join(dir, ".git"))) return dir;
  return dirname(dir) === dir ? undefined : topAbove(dirname(dir));
}

function gitDirOf(top: string): string {
  const read = readThroughLinks(join(top, ".git"));
  const named = read.ok ? /^gitdir: (.*)$/m.exec(read.text)?.[1] : undefined;
  return named === undefined ? join(top, ".git") : resolve(top, named);
}

function commonOf(gitDir: string): string {
  const read = readThroughLinks(join(gitDir, "commondir"));
  return read.ok ? resolve(gitDir, read.text.trim()) : gitDir;
}

/** The files of settings that the call reads, with those that they name: further settings, ignore files, attributes. */
function settingsOf({ env }: GitCall, gitDirs: readonly string[]): ReadonlySet<string> {
  const home = env["HOME"];
  const own = env["XDG_CONFIG_HOME"] ?? (home === undefined ? undefined : join(home, ".config"));
  const personal = [env["GIT_CONFIG_GLOBAL"], home && join(home, ".gitconfig"), own && join(own, "git/config")];
  const handed = Object.entries(env).flatMap(([name, value]) => (name.startsWith("GIT_CONFIG_VALUE_") ? [value] : []));
  const lists = own ? [join(own, "git/ignore"), join(own, "git/attributes")] : [];
  const first = [...personal, ...handed, ...lists].flatMap((path) => (path && isAbsolute(path) ? [path] : []));
  const files = new Set([...first, ...gitDirs.map((dir) => join(dir, "config"))]);
  // A set grows while it is walked, so what an included file includes is found too.
  for (const file of files) {
    if (files.size > MOST_SETTINGS) break;
    for (const named of namedIn(file, home)) files.add(named);
  }
  return files;
}

/** Nobody's settings lie in more files. */
const MOST_SETTINGS = 1_000;

const NAMES_A_FILE = /^\s*(?:path|excludesfile|attributesfile)\s*=\s*"?([^"\n]*?)"?\s*$/gim;

function namedIn(file: string, home = "/"): readonly string[] {
  const read = readThroughLinks(file);
  const named = read.ok ? [...read.text.matchAll(NAMES_A_FILE)].map((match) => match[1] ?? "") : [];
  return named.filter(Boolean).map((path) => resolve(dirname(file), path.replace(/^~(?=\/)/, home)));
}
