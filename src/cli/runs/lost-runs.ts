import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import { isRunId } from "../../engine/run-id.ts";
import type { RepositoryPlaces } from "../project/repository.ts";

type RunPaths = Pick<RepositoryPlaces, "database" | "runs">;

/** Rejects an emptied database before it is opened, because opening an empty file creates a new database. */
export function refuseEmptyDatabase(places: RunPaths): void {
  const bytes = statSync(places.database, { throwIfNoEntry: false })?.size ?? 0;
  const [run] = bytes > 0 ? [] : listStartedRuns(places);
  if (run !== undefined)
    throw createLostRunError(places, run, bytes === 0 && existsSync(places.database) ? "is empty" : "is missing");
}

/** Rejects a database that does not know a run with agent output: it lost its newest part or was replaced. */
export async function refuseLostRuns(places: RunPaths, host: Pick<Host, "runs">): Promise<void> {
  const folders = listStartedRuns(places);
  if (folders.length === 0) return;
  const known = new Set((await host.runs.list()).map(({ id }) => id));
  const run = folders.find((name) => !known.has(name));
  if (run !== undefined)
    throw createLostRunError(places, run, "does not contain it: it was replaced, or lost its -wal file");
}

/** A run's folder is created before the run is recorded, its spool afterwards. Other folders are ignored. */
function listStartedRuns({ runs }: RunPaths): readonly string[] {
  const names = existsSync(runs) ? readdirSync(runs) : [];
  return names.filter((name) => isRunId(name) && existsSync(join(runs, name, "spool")));
}

function createLostRunError({ database, runs }: RunPaths, run: string, what: string): SignalboxError {
  return new SignalboxError(
    "DATABASE_DAMAGED",
    `Run ${run} has agent output, but the database ${database} ${what}.`,
    `Restore the database and its -wal file from a backup. To start over without those runs, move ${runs} away.`,
  );
}
