import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { DisposableRun } from "../../core/ports/workspace.ts";
import { listProcessIds } from "../../node/process-identity.ts";
import { removeFolder } from "../../node/remove-folder.ts";
import { isOfRun, isUnowned, listNotes, WARM } from "../attempt/attempt-note.ts";
import { discard } from "../attempt/discard.ts";
import { isInUse } from "../attempt/owner.ts";
import type { GitStore } from "../repository/git-store.ts";
import { QUARANTINE } from "../snapshot/quarantine.ts";
import type { GcPlan, WasteItem } from "./gc.ts";
import { measureFolder } from "./sizes.ts";

/** No operation uses a scratch file for this long. */
const SCRATCH_MS = 24 * 60 * 60 * 1000;

/** Folders of attempts whose engine died. Those of other runs stay, because a resume may reuse them. */
export async function planLeftAttempts(store: GitStore, runs: readonly DisposableRun[]): Promise<GcPlan> {
  const left = (await listNotes(store)).filter(isUnowned);
  const pids = listProcessIds();
  const goes: WasteItem[] = [];
  const stays: { what: string; because: string }[] = [];
  for (const { dir, name, file } of left) {
    const exists = (await lstat(dir).catch(() => undefined)) !== undefined;
    // Folders of finished runs and folders kept for reuse are removed.
    if (exists && name !== WARM && !runs.some(({ run }) => isOfRun(name, run)))
      stays.push({ what: dir, because: "its run may be resumed" });
    else if (isInUse(dir, pids)) stays.push({ what: dir, because: "a process is still running in it" });
    else
      goes.push({ names: [exists ? dir : file], bytes: await measureFolder(dir), remove: () => discard(store, dir) });
  }
  return { goes, stays };
}

/** Leftovers of removals that a process did not finish. */
export async function planTrash(store: GitStore): Promise<GcPlan> {
  const paths = (await readdir(store.trash)).map((name) => join(store.trash, name));
  const goes = paths.map(async (path): Promise<WasteItem> => {
    return { names: [path], bytes: await measureFolder(path), remove: () => removeFolder(path) };
  });
  return { goes: await Promise.all(goes), stays: [] };
}

/** Homes of attempts whose engine died before cleaning up. Their content is not needed after the run. */
export async function planLeftHomes(store: GitStore, runs: readonly DisposableRun[]): Promise<GcPlan> {
  const homes = join(dirname(store.attempts), "homes");
  const names = (await readdir(homes).catch(() => [])).filter((name) => runs.some(({ run }) => isOfRun(name, run)));
  const goes = names.map(async (name): Promise<WasteItem> => {
    const home = join(homes, name);
    return { names: [home], bytes: await measureFolder(home), remove: () => removeFolder(home) };
  });
  return { goes: await Promise.all(goes), stays: [] };
}

/** Leftovers of killed calls in the engine's own directory, and throw-away commits of merges. */
export async function planScratch(store: GitStore): Promise<GcPlan> {
  const noted = new Set((await listNotes(store)).map(({ dir }) => basename(dir)));
  const scratch = await listOld(join(store.dir, "scratch"));
  const objects = await readdir(join(store.dir, "objects"));
  const folders = objects
    .filter((name) => /^([0-9a-f]{2}|pack)$/.test(name))
    .map((name) => join(store.dir, "objects", name));
  const loose = (await Promise.all(folders.map((folder) => listOld(folder)))).flat();
  const unused = scratch.filter(
    ({ path }) => !noted.has(basename(path).replace(/\.([0-9a-f]+\.index|owner|folders)$/, "")),
  );
  const broken = await listOld(store.repository.objects, (name) => name.startsWith(QUARANTINE));
  const goes = [...unused, ...loose, ...broken].map(({ path, bytes }) => ({
    names: [path],
    bytes,
    remove: () => removeFolder(path),
  }));
  return { goes, stays: [] };
}

async function listOld(folder: string, ours: (name: string) => boolean = () => true) {
  const paths = (await readdir(folder)).filter(ours).map((name) => join(folder, name));
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  const aged = paths.filter((_path, at) => Date.now() - (found[at]?.mtimeMs ?? Date.now()) > SCRATCH_MS);
  return Promise.all(aged.map(async (path) => ({ path, bytes: await measureFolder(path) })));
}
