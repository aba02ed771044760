import { existsSync } from "node:fs";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host, RunRow } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { createSqliteHost } from "../../hosts/sqlite/host.ts";
import { isOwnerDead } from "../../hosts/sqlite/owner.ts";
import type { Call } from "../call.ts";
import { type RepositoryPlaces, resolvePlaces } from "../project/repository.ts";
import { createRealWorld } from "../real-world.ts";
import { resolveTeam } from "../team/team.ts";
import type { SharedRuns } from "../team/team-store.ts";
import { createNoRunsError } from "./find-run.ts";
import { refuseEmptyDatabase, refuseLostRuns } from "./lost-runs.ts";

/** Access to the runs of this repository, for commands that only read or post messages. */
export type RunStore = {
  readonly places: RepositoryPlaces;
  readonly world: World;
  readonly host: Host;
  /** Set if the runs are shared by a team. */
  readonly team?: SharedRuns;
};

/** Opens the store while `use` runs. Creates nothing if no run was ever started. */
export async function withRunStore<T>(call: Call, use: (store: RunStore) => Promise<T>, empty?: () => T): Promise<T> {
  const places = await resolvePlaces(call.dir);
  const team = await resolveTeam(call, places);
  if (team) return withTeamStore({ team, places, world: createRealWorld() }, use, empty);
  refuseEmptyDatabase(places);
  if (!existsSync(places.database)) {
    if (empty) return empty();
    throw createNoRunsError(places.top);
  }
  const world = createRealWorld();
  const host = createSqliteHost({ file: places.database, world, looking: true });
  try {
    await refuseLostRuns(places, host);
    return await use({ places, world, host });
  } finally {
    await host.close();
  }
}

type TeamOpening = Parameters<typeof import("../team/team-store.ts").openTeamStore>[0];

async function withTeamStore<T>(at: TeamOpening, use: (store: RunStore) => Promise<T>, empty?: () => T): Promise<T> {
  const { openTeamStore } = await import("../team/team-store.ts");
  const store = await openTeamStore(at);
  try {
    if (empty && (await store.host.runs.list()).length === 0) return empty();
    return await use(store);
  } finally {
    await store.host.close();
  }
}

/** The process of a worker on another machine cannot be checked from here, so its heartbeat decides. */
export function isOwned({ world, team }: Pick<RunStore, "world" | "team">, row: RunRow): boolean {
  if (row.owner === null || row.leaseUntil === null || row.leaseUntil <= world.now()) return false;
  return team !== undefined || !isOwnerDead(row.owner);
}

/**
 * Returns a predicate for processes of runs without an engine. Runs that are unknown here are left alone, and so are
 * those whose owner may only have been asleep.
 */
export function createOrphanCheck({ runs }: Pick<Host, "runs">): (cookie: string) => Promise<boolean> {
  return async (cookie) => {
    const [run = "", ...key] = cookie.split("/");
    const row = key.length === 0 ? undefined : await runs.get(run);
    return row !== undefined && (row.owner === null || isOwnerDead(row.owner));
  };
}

/**
 * Converts a record to an event: common fields come first, and ledger rows, which are internal to the host, are
 * omitted.
 */
export function toEvent(record: JournalRecord): Omit<JournalRecord, "rows"> {
  const { rows: _rows, v, seq, ts, type, run, ...rest } = record;
  return Object.assign({ v, seq, ts, type, run }, rest);
}
