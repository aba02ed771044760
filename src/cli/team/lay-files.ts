import { mkdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { World } from "../../core/ports/world.ts";
import type { TeamHost } from "../../hosts/dbos/open-team.ts";
import { isWithin } from "../../node/containment.ts";

type FilePlaces = {
  readonly spools: Pick<TeamHost["team"]["spools"], "list" | "get">;
  /** The folder of all runs here. */
  readonly runs: string;
  readonly world: Pick<World, "newId" | "now">;
};

/** Whoever looks often is given what was brought just now. */
const KEPT_MS = 2_000;

export function fileBringer(places: FilePlaces): (run: string) => Promise<void> {
  const brought = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  return (run) => {
    const last = brought.get(run);
    const now = places.world.now();
    if (last && now - last.at < KEPT_MS) return last.done;
    const done = layFiles(places, run).then(() => undefined);
    brought.set(run, { at: now, done });
    return done;
  };
}

/** What workers have sent of a run, laid where every reader of files looks for it; gives what was not there before. */
export async function layFiles(
  { spools, runs, world }: FilePlaces,
  run: string,
  wanted: (path: string) => boolean = () => true,
): Promise<readonly string[]> {
  const laid: string[] = [];
  const folder = join(runs, run);
  for (const { path, at } of await spools.list(run)) {
    const file = join(folder, path);
    // The names come from other machines.
    if (!wanted(path) || !isWithin(file, folder) || (await isThere(file, at))) continue;
    const bytes = await spools.get(run, path);
    if (bytes === undefined) continue;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${world.newId().slice(0, 8)}`;
    await writeFile(fresh, bytes, { mode: 0o600 });
    // Dated as it was sent: that is also how silence is told.
    await utimes(fresh, at / 1_000, at / 1_000);
    await rename(fresh, file);
    laid.push(file);
  }
  return laid;
}

async function isThere(file: string, at: number): Promise<boolean> {
  const seen = await stat(file).catch(() => undefined);
  return seen !== undefined && Math.abs(seen.mtimeMs - at) < 2;
}
