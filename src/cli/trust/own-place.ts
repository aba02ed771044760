import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../../node/containment.ts";
import type { Origin } from "../../processes/tag/ancestry.ts";
import { gitFolders, placesOf } from "../project/repository.ts";
import { stateFolder, userConfigFile } from "../project/user-places.ts";

/** Whether a command that is called for a folder stays inside what was made for a step; asked once for all of them. */
export async function ownPlaces(dir: string): Promise<(origin: Origin) => boolean> {
  const touched = LEADS_GIT.some((name) => process.env[name] !== undefined) ? undefined : await touchedFrom(dir);
  return ({ own }) => touched !== undefined && own.some((home) => touched.every((path) => isWithin(path, home)));
}

/** With one of these git works elsewhere than where it is asked. */
const LEADS_GIT = ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE"];

/**
 * Where everything really is that a command reads its orders from or writes to. A folder of one's own may lead to
 * another's by a link at any level, by a git directory that is somewhere else, or by a second name of the same file.
 * Undefined where that cannot be known.
 */
async function touchedFrom(dir: string): Promise<readonly string[] | undefined> {
  const places = await placesOf(dir).catch(() => undefined);
  const gits = places === undefined ? [] : [...(await gitFolders(dir)), ...(await gitFolders(places.top))];
  const folders = places === undefined ? [] : [places.own, places.runs, places.mailbox, ...gits];
  const named = [resolve(dir), join(resolve(dir), ".signalbox"), ...Object.values(places ?? {}), ...gits];
  const touched = [...named, ...folders.flatMap(entriesOf), stateFolder(), userConfigFile()].map(real);
  return touched.every((path) => path !== undefined) ? touched : undefined;
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Also of what is not there yet. Undefined for a link to nowhere, and for a file that has other names. */
function real(path: string): string | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found.isFile() && found.nlink > 1 ? undefined : realpathSync(path);
    const above = real(dirname(path));
    return above === undefined ? undefined : join(above, basename(path));
  } catch {
    return undefined;
  }
}
