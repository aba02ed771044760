import { constants, existsSync } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { toMachineError } from "../../core/failure/machine-failure.ts";
import { formatBytes } from "../output/format-bytes.ts";
import { makeFolder } from "../project/make-folder.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { getStateFolder } from "../project/user-folders.ts";
import type { Symptom } from "./symptom.ts";

const what = "disk";

type DiskPath = { readonly path: string; readonly whose: string; readonly least: number; readonly instead?: string };

/**
 * Checks that each folder a run writes to is writable and has enough space. One line covers all of them if nothing is
 * wrong.
 */
export async function findDiskSymptoms(places: RepositoryPlaces): Promise<readonly Symptom[]> {
  const cache = { path: places.cache, whose: "the cache", least: 500e6, instead: "XDG_CACHE_HOME" };
  const state = { path: getStateFolder(), whose: "your trust records", least: 1e6, instead: "XDG_STATE_HOME" };
  const repository = [places.top, dirname(dirname(places.exclude)), places.own].filter(existsSync);
  const all: readonly DiskPath[] = [
    cache,
    state,
    ...repository.map((path) => ({ path, whose: "the repository", least: 50e6 })),
  ];
  const states = await Promise.all(all.map(checkDiskPath));
  const wrong = states.flatMap(({ symptom }) => (symptom ? [symptom] : []));
  if (wrong.length > 0) return dropRepeatedDisks(wrong);
  return [{ what, state: "fine", says: `${formatBytes(states[0]?.free ?? 0)} free at ${shortenPath(places.cache)}` }];
}

type DiskState = { readonly free: number; readonly symptom?: Symptom };

async function checkDiskPath(place: DiskPath): Promise<DiskState> {
  const { path, whose, least, instead } = place;
  const other = instead === undefined ? "" : `, or set ${instead}=<another folder>`;
  try {
    // Checks the nearest existing parent, so that a check does not create the folder.
    const there = findExistingParent(path);
    await access(there, constants.W_OK);
    if (instead === "XDG_CACHE_HOME") await makeFolder(path, 0o700);
    const { bavail, bsize } = await statfs(there);
    const free = bavail * bsize;
    if (free >= least) return { free };
    const says = `${formatBytes(free)} free at ${shortenPath(path)} (${whose})`;
    const get = `${instead === undefined ? "free space there" : "signalbox gc, free space there"}${other}`;
    return { free, symptom: { what, state: "missing", says, get } };
  } catch (error) {
    const failure = toMachineError(error, path);
    const says =
      failure?.message ?? `${shortenPath(path)} cannot be used: ${error instanceof Error ? error.message : error}`;
    return { free: 0, symptom: { what, state: "missing", says, get: `make ${shortenPath(path)} writable${other}` } };
  }
}

/** Reports a repository problem once: its folders usually share a disk. */
function dropRepeatedDisks(wrong: readonly Symptom[]): readonly Symptom[] {
  const ofRepository = wrong.filter(({ get }) => !get?.includes("XDG_"));
  return wrong.filter((symptom) => !ofRepository.slice(1).includes(symptom));
}

function findExistingParent(path: string): string {
  return existsSync(path) ? path : findExistingParent(dirname(path));
}

function shortenPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(join(home, "/")) ? `~${path.slice(home.length)}` : path;
}
