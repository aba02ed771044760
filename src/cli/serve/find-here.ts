import { SignalboxError } from "../../core/failure/errors.ts";
import type { KnownRepository } from "../project/known-repositories.ts";
import type { RunHere } from "./followed-runs.ts";
import type { Stores } from "./stores.ts";

/** The repository of an id that a page was given. */
export async function repositoryHere(stores: Stores, id: string): Promise<KnownRepository> {
  const found = (await stores.all()).find((each) => each.id === id);
  if (found) return found;
  throw new SignalboxError(
    "NOT_A_REPOSITORY",
    `No repository with runs is known as "${id}".`,
    "It was moved or removed; run signalbox there once, and load the page again.",
  );
}

export type RunFinder = (run: string) => Promise<RunHere>;

/** By its whole id, whichever repository it is in. */
export function createRunFinder(stores: Stores): RunFinder {
  const known = new Map<string, string>();
  const inside = async (top: string, run: string): Promise<RunHere | undefined> => {
    const store = await stores.open(top);
    const row = await store?.host.runs.get(run);
    return store && row && { store, row };
  };
  return async (run) => {
    const top = known.get(run);
    const again = top === undefined ? undefined : await inside(top, run).catch(() => undefined);
    if (again) return again;
    for (const repository of await stores.all()) {
      // A damaged database of another repository keeps nobody from this one.
      const found = await inside(repository.top, run).catch(() => undefined);
      if (!found) continue;
      known.set(run, repository.top);
      return found;
    }
    throw new SignalboxError("RUN_UNKNOWN", `No run is named "${run}".`, "See what there is on the first page.");
  };
}
