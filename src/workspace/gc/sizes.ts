import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { StorageSizes } from "../../core/ports/workspace.ts";
import { listProcessIds } from "../../node/process-identity.ts";
import { isUnowned, listNotes } from "../attempt/attempt-note.ts";
import { isInUse } from "../attempt/owner.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";

/** Sizes of Signalbox's data in this repository and its cache. */
export async function measureSizes(store: GitStore): Promise<StorageSizes> {
  const [names, notes, cache] = await Promise.all([listOwnRefs(store), listNotes(store), measureFolder(store.dir)]);
  const runs: StorageSizes["runs"][number][] = [];
  for (const [run, refs] of Map.groupBy(names, (ref) => ref.split("/")[2] ?? "")) {
    if (/[a-z]/.test(run)) runs.push({ run, refs: refs.length, bytes: await measureRun(store, run) });
  }
  const pids = listProcessIds();
  const attempts = notes.map(async (note) => {
    return { dir: note.dir, bytes: await measureFolder(note.dir), alive: !isUnowned(note) || isInUse(note.dir, pids) };
  });
  return { runs, attempts: await Promise.all(attempts), cache };
}

/** Bytes on disk, without objects that the newest commits of branches, tags and remotes contain. */
export async function measureRun({ repository }: GitStore, run: string): Promise<number> {
  // Excludes by tree, because a snapshot is a tree without history and git subtracts only what it is given. Counts
  // commits without their history.
  const asked = ["for-each-ref", "--format=^%(tree)", "refs/heads/", "refs/tags/", "refs/remotes/"];
  const held = getLine(await repository.ask(asked)).split("\n");
  const input = held.filter((tree) => tree.length > 1).join("\n");
  const args = ["rev-list", "--no-walk", "--objects", "--disk-usage", `--glob=refs/signalbox/${run}/*`, "--stdin"];
  return Number(getLine(await repository.ask(args, { input })));
}

/** Unreadable entries count as zero. */
export async function measureFolder(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path).catch(() => []);
  const sizes = await Promise.all(names.map((name) => measureFolder(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function listOwnRefs({ repository }: GitStore): Promise<string[]> {
  return getLine(await repository.ask(["for-each-ref", "--format=%(refname)", "refs/signalbox/"]))
    .split("\n")
    .filter(Boolean);
}
