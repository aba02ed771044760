import { mkdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { World } from "../../core/ports/world.ts";
import type { TeamHost } from "../../hosts/dbos/open-team.ts";
import { isWithin } from "../../node/containment.ts";

type UploadInputs = {
  readonly spools: Pick<TeamHost["team"]["spools"], "list" | "get">;
  /** Folder of all runs on this machine. */
  readonly runs: string;
  readonly world: Pick<World, "newId" | "now">;
};

/** Results are reused for 2 s so that frequent polling does not refetch. */
const REUSE_MS = 2_000;

export function createUploadFetcher(places: UploadInputs): (run: string) => Promise<void> {
  const brought = new Map<string, { readonly at: number; readonly done: Promise<void> }>();
  return (run) => {
    const last = brought.get(run);
    const now = places.world.now();
    if (last && now - last.at < REUSE_MS) return last.done;
    const done = writeUploads(places, run).then(() => undefined);
    brought.set(run, { at: now, done });
    return done;
  };
}

/** Writes the files that workers uploaded for a run into its local folder. Returns the paths that are new. */
export async function writeUploads(
  { spools, runs, world }: UploadInputs,
  run: string,
  wanted: (path: string) => boolean = () => true,
): Promise<readonly string[]> {
  const written: string[] = [];
  const folder = join(runs, run);
  for (const { path, at } of await spools.list(run)) {
    const file = join(folder, path);
    // The names come from other machines and may lead out of the folder.
    if (!wanted(path) || !isWithin(file, folder) || (await isUpToDate(file, at))) continue;
    const bytes = await spools.get(run, path);
    if (bytes === undefined) continue;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${world.newId().slice(0, 8)}`;
    await writeFile(fresh, bytes, { mode: 0o600 });
    // Keeps the upload time, which is also used to measure silence.
    await utimes(fresh, at / 1_000, at / 1_000);
    await rename(fresh, file);
    written.push(file);
  }
  return written;
}

async function isUpToDate(file: string, at: number): Promise<boolean> {
  const seen = await stat(file).catch(() => undefined);
  return seen !== undefined && Math.abs(seen.mtimeMs - at) < 2;
}
