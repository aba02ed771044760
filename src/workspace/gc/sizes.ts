import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Sizes } from "../../core/ports/workspace.ts";
import { processIds } from "../../node/process-identity.ts";
import { attemptNotes, isLeft } from "../attempt/attempt-note.ts";
import { inUse } from "../attempt/owner.ts";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";

/** Sizes of Signalbox's data in this repository and its cache. */
export async function seeSizes(store: Store): Promise<Sizes> {
  const [names, notes, cache] = await Promise.all([listOwnRefs(store), attemptNotes(store), bytesIn(store.dir)]);
  const runs: Sizes["runs"][number][] = [];
  for (const [run, refs] of Map.groupBy(names, (ref) => ref.split("/")[2] ?? "")) {
    if (/[a-z]/.test(run)) runs.push({ run, refs: refs.length, bytes: await bytesOfRun(store, run) });
  }
  const pids = processIds();
  const attempts = notes.map(async (note) => {
    return { dir: note.dir, bytes: await bytesIn(note.dir), alive: !isLeft(note) || inUse(note.dir, pids) };
  });
  return { runs, attempts: await Promise.all(attempts), cache };
}

/** Bytes on disk, without objects that the newest commits of branches, tags and remotes contain. */
export async function bytesOfRun({ repository }: Store, run: string): Promise<number> {
  // Excludes by tree, because a snapshot is a tree without history and git subtracts only what it is given. Counts
  // commits without their history.
  const asked = ["for-each-ref", "--format=^%(tree)", "refs/heads/", "refs/tags/", "refs/remotes/"];
  const held = line(await repository.ask(asked)).split("\n");
  const input = held.filter((tree) => tree.length > 1).join("\n");
  const args = ["rev-list", "--no-walk", "--objects", "--disk-usage", `--glob=refs/signalbox/${run}/*`, "--stdin"];
  return Number(line(await repository.ask(args, { input })));
}

/** Unreadable entries count as zero. */
export async function bytesIn(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path).catch(() => []);
  const sizes = await Promise.all(names.map((name) => bytesIn(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function listOwnRefs({ repository }: Store): Promise<string[]> {
  return line(await repository.ask(["for-each-ref", "--format=%(refname)", "refs/signalbox/"]))
    .split("\n")
    .filter(Boolean);
}
