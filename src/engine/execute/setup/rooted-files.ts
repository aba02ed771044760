import { chmod, lstat, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SetupEntry } from "./copied-entries.ts";

/** Marks a Python environment: its scripts and its links to sources contain the path of its folder. */
const ENVIRONMENT = "pyvenv.cfg";
const NAMES_PLACES =
  /(?:^|\/)(?:bin|Scripts)\/[^/]+$|\.(?:pth|cfg|egg-link)$|(?:^|\/)(?:__editable__[^/]*\.py|direct_url\.json)$/;
const LARGEST = 256 * 1024;

/**
 * Lists files of such environments that contain this folder's path: in any other folder they would point to the wrong
 * place.
 */
export async function findRootedFiles(dir: string, entries: readonly SetupEntry[]): Promise<readonly string[]> {
  const homes = entries.flatMap(({ path }) => (basename(path) === ENVIRONMENT ? [`${dirname(path)}/`] : []));
  const found: string[] = [];
  for (const { path, kind } of homes.length === 0 ? [] : entries) {
    if (kind !== "file" || !NAMES_PLACES.test(path) || !homes.some((home) => path.startsWith(home))) continue;
    const file = join(dir, path);
    if ((await lstat(file)).size <= LARGEST && (await readFile(file)).includes(dir)) found.push(path);
  }
  return found;
}

type FolderMove = { readonly from: string; readonly to: string };

/** Replaces the path by that of the current folder. Works on bytes, because not all files are text. */
export async function replaceRoot(paths: readonly string[], { from, to }: FolderMove): Promise<void> {
  for (const path of paths) {
    const file = join(to, path);
    const { mode } = await lstat(file);
    const text = (await readFile(file)).toString("latin1");
    const [old, now] = [from, to].map((dir) => Buffer.from(dir).toString("latin1")) as [string, string];
    await chmod(file, mode | 0o200);
    await writeFile(file, Buffer.from(text.replaceAll(old, now), "latin1"));
    await chmod(file, mode);
  }
}
