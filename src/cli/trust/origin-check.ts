import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../../node/containment.ts";
import type { Origin } from "../../processes/tag/ancestry.ts";
import { listGitFolders, resolvePlaces } from "../project/repository.ts";
import { getStateFolder, getUserConfigFile } from "../project/user-folders.ts";

/**
 * Returns a predicate that is true if a command for this folder stays inside the folders of an origin. The paths are
 * determined once.
 */
export async function createOriginCheck(dir: string): Promise<(origin: Origin) => boolean> {
  const touched = GIT_VARIABLES.some((name) => process.env[name] !== undefined)
    ? undefined
    : await listTouchedPaths(dir);
  return ({ own }) => touched !== undefined && own.some((home) => touched.every((path) => isWithin(path, home)));
}

/** Variables that make git work in another repository. */
const GIT_VARIABLES = ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE"];

/**
 * Returns the real paths of everything that a command reads instructions from or writes to. A folder may lead elsewhere
 * through a link at any level, a git directory in another place, or a hard link. Returns undefined if this cannot be
 * determined.
 */
async function listTouchedPaths(dir: string): Promise<readonly string[] | undefined> {
  const places = await resolvePlaces(dir).catch(() => undefined);
  const gits = places === undefined ? [] : [...(await listGitFolders(dir)), ...(await listGitFolders(places.top))];
  const folders = places === undefined ? [] : [places.own, places.runs, places.mailbox, ...gits];
  const named = [resolve(dir), join(resolve(dir), ".signalbox"), ...Object.values(places ?? {}), ...gits];
  const touched = [...named, ...folders.flatMap(listEntries), getStateFolder(), getUserConfigFile()].map(
    resolveSinglePath,
  );
  return touched.every((path) => path !== undefined) ? touched : undefined;
}

function listEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/**
 * Resolves paths that do not exist yet as well. Returns undefined for a dangling link and for a file with several
 * names.
 */
function resolveSinglePath(path: string): string | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found.isFile() && found.nlink > 1 ? undefined : realpathSync(path);
    const above = resolveSinglePath(dirname(path));
    return above === undefined ? undefined : join(above, basename(path));
  } catch {
    return undefined;
  }
}
