import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CheckedCommand, Command, SetupCommand } from "../../core/effect.ts";
import type { World } from "../../core/ports/world.ts";

type Preparation = {
  readonly dir: string;
  readonly setup: SetupCommand;
  readonly cache: string;
  readonly runs: string;
  readonly world: World;
  run(command: Command): Promise<CheckedCommand>;
};

/**
 * Makes a fresh checkout ready for its checks. What the set-up put beside the tree's own files is kept for the next
 * checkout with the same lock file; a copy each time, because a check may change what it finds.
 * Gives back the failed command, or nothing when all is ready.
 */
export async function prepare(at: Preparation): Promise<CheckedCommand | undefined> {
  const key = await keyOf(at);
  const kept = key && join(at.cache, "setups", key);
  if (kept && (await copyInto(kept, at.dir))) return undefined;
  const before = new Set(await readdir(at.dir));
  const done = await at.run({ name: "set-up", run: at.setup.run });
  if (done.exitCode !== 0) return done;
  const made = (await readdir(at.dir)).filter((name) => !before.has(name));
  if (kept) await keep(at, kept, made);
  return undefined;
}

/** Of this repository, this command and this lock file; without a lock file nothing says what the set-up makes. */
async function keyOf({ dir, setup, runs, world }: Preparation): Promise<string | undefined> {
  if (!setup.lockFile) return undefined;
  const lock = await readFile(join(dir, setup.lockFile), "utf8").catch(() => undefined);
  return lock === undefined ? undefined : world.hash(`${runs}\n${setup.run}\n${lock}`).slice(0, 32);
}

async function copyInto(kept: string, dir: string): Promise<boolean> {
  const names = await readdir(kept).catch(() => undefined);
  if (!names) return false;
  // Never over what the tree itself has: the checks must judge the tree.
  const own = new Set(await readdir(dir));
  for (const name of names.filter((each) => !own.has(each))) {
    await cp(join(kept, name), join(dir, name), { recursive: true, verbatimSymlinks: true });
  }
  return true;
}

/** Renamed into place when complete: a set-up that was cut short is never taken for a whole one. */
async function keep({ dir, world }: Preparation, kept: string, made: readonly string[]): Promise<void> {
  const fresh = `${kept}.${world.newId().slice(0, 8)}`;
  await mkdir(fresh, { recursive: true });
  for (const name of made) await cp(join(dir, name), join(fresh, name), { recursive: true, verbatimSymlinks: true });
  // Somebody else may have been quicker with the very same thing.
  await rename(fresh, kept).catch(() => rm(fresh, { recursive: true, force: true }));
}
