import { type Stats, statSync } from "node:fs";
import type { World } from "../../core/ports/world.ts";
import { createSqliteHost } from "../../hosts/sqlite/host.ts";
import { type KnownRepository, listKnownRepositories } from "../project/known-repositories.ts";
import { resolvePlaces } from "../project/repository.ts";
import { refuseEmptyDatabase, refuseLostRuns } from "../runs/lost-runs.ts";
import type { RunStore } from "../runs/run-store.ts";
import { resolveTeam } from "../team/team.ts";

/** Limit on open databases; each one holds three files. */
const MOST_OPEN = 64;

type Opened = { readonly store: RunStore; readonly mark: StoreMark };
/** Identifies the store: the database file, or the team's address. */
type StoreMark = { readonly file: Stats } | { readonly url: string };

/** The open stores of all repositories of this user. */
export type Stores = {
  all(): Promise<readonly KnownRepository[]>;
  /** Returns undefined if no run was ever started. */
  open(top: string): Promise<RunStore | undefined>;
  close(): Promise<void>;
};

export function createStores(world: World): Stores {
  const opened = new Map<string, Opened>();
  const opening = new Map<string, Promise<RunStore | undefined>>();
  const drop = async (top: string): Promise<void> => {
    const found = opened.get(top);
    opened.delete(top);
    await found?.store.host.close();
  };
  const keep = async (top: string, fresh: Opened): Promise<RunStore> => {
    opened.set(top, fresh);
    for (const oldest of [...opened.keys()].slice(0, -MOST_OPEN)) await drop(oldest);
    return fresh.store;
  };
  const reopen = async (top: string): Promise<RunStore | undefined> => {
    await drop(top);
    const places = await resolvePlaces(top);
    const team = await resolveTeam({ postgres: undefined }, places);
    if (team) {
      const { openTeamStore } = await import("../team/team-store.ts");
      return keep(top, { store: await openTeamStore({ team, places, world }), mark: { url: team.url } });
    }
    refuseEmptyDatabase(places);
    const file = statSync(places.database, { throwIfNoEntry: false });
    if (!file) return undefined;
    const host = createSqliteHost({ file: places.database, world, looking: true });
    try {
      await refuseLostRuns(places, host);
    } catch (error) {
      await host.close();
      throw error;
    }
    return keep(top, { store: { places, world, host }, mark: { file } });
  };
  return {
    all: () => listKnownRepositories(world),
    async open(top) {
      const found = opened.get(top);
      if (found && (await isSameStore(found))) {
        // Moves the store to the end, so that the least recently used one is closed first.
        opened.delete(top);
        opened.set(top, found);
        return found.store;
      }
      // Concurrent callers share the same store.
      const pending = opening.get(top) ?? reopen(top).finally(() => opening.delete(top));
      opening.set(top, pending);
      return pending;
    },
    async close() {
      for (const top of [...opened.keys()]) await drop(top);
    },
  };
}

/** Returns false if the file was moved or replaced, or the configuration names another store. */
async function isSameStore({ store, mark }: Opened): Promise<boolean> {
  const team = await resolveTeam({ postgres: undefined }, store.places);
  if ("url" in mark) return team?.url === mark.url;
  const now = statSync(store.places.database, { throwIfNoEntry: false });
  return team === undefined && now !== undefined && now.ino === mark.file.ino && now.dev === mark.file.dev;
}
