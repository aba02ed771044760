import { useEffect, useState, useSyncExternalStore } from "react";
import type { RunPage } from "../../src/views/page/page.ts";
import { fetchJson } from "./api.ts";
import { type Loaded, type Store, snapshot, subscribe, watchRun } from "./store.ts";

export function useStore<T>(pick: (store: Store) => T): T {
  return useSyncExternalStore(subscribe, () => pick(snapshot()));
}

export function useRun(run: string): Loaded<RunPage> {
  useEffect(() => watchRun(run), [run]);
  return useStore((store) => store.pages.get(run)) ?? NOTHING;
}

const NOTHING: Loaded<never> = {};

/** Loads a resource once, and again when `again` changes. Loads nothing if `path` is null. */
export function useFetched<T>(path: string | null, again: unknown = 0): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `again` triggers another request.
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    fetchJson<T>(path, stop.signal).then(
      (value) => stop.signal.aborted || setLoaded({ value, path }),
      (error) => stop.signal.aborted || setLoaded({ error, path }),
    );
    return () => stop.abort();
  }, [path, again]);
  return loaded.path === path ? loaded : NOTHING;
}

/** Returns the current time of the server, updated every second unless `moves` is false. */
export function useNow(moves = true): number {
  const ahead = useStore((store) => store.ahead);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [moves]);
  return now + ahead;
}
