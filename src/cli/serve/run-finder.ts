import { SignalboxError } from "../../core/failure/errors.ts";
import type { KnownRepository } from "../project/known-repositories.ts";
import type { LocatedRun } from "./followed-runs.ts";
import type { Stores } from "./stores.ts";

/** Finds a repository by the id that the page uses. */
export async function findRepository(stores: Stores, id: string): Promise<KnownRepository> {
  const found = (await stores.all()).find((each) => each.id === id);
  if (found) return found;
  throw new SignalboxError(
    "NOT_A_REPOSITORY",
    `No repository with runs has the id "${id}".`,
    "It was moved or removed; run signalbox there once, and reload the page.",
  );
}

export type RunFinder = (run: string) => Promise<LocatedRun>;

/** Finds a run by its full id in any repository. */
export function createRunFinder(stores: Stores): RunFinder {
  const known = new Map<string, string>();
  const findInside = async (top: string, run: string): Promise<LocatedRun | undefined> => {
    const store = await stores.open(top);
    const row = await store?.host.runs.get(run);
    return store && row && { store, row };
  };
  return async (run) => {
    const top = known.get(run);
    const again = top === undefined ? undefined : await findInside(top, run).catch(() => undefined);
    if (again) return again;
    for (const repository of await stores.all()) {
      // A damaged database of another repository must not prevent this lookup.
      const found = await findInside(repository.top, run).catch(() => undefined);
      if (!found) continue;
      known.set(run, repository.top);
      return found;
    }
    throw new SignalboxError("RUN_UNKNOWN", `No run has the id "${run}".`, "Runs are listed on the first page.");
  };
}
