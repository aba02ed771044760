import { useEffect, useState, useSyncExternalStore } from "react";
import type { RunPage } from "../../src/views/page/page.ts";
import { get } from "./api.ts";
import { type Loaded, type Store, snapshot, subscribe, watchRun } from "./store.ts";

export function useStore<T>(pick: (store: Store) => T): T {
  return useSyncExternalStore(subscribe, () => pick(snapshot()));
}

export function useRun(run: string): Loaded<RunPage> {
  useEffect(() => watchRun(run), [run]);
  return useStore((store) => store.pages.get(run)) ?? NOTHING;
}

const NOTHING: Loaded<never> = {};

/** What is asked once, and again when `again` is another; null asks nothing. */
export function useGet<T>(path: string | null, again: unknown = 0): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is what makes it ask once more.
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    get<T>(path, stop.signal).then(
      (value) => stop.signal.aborted || setLoaded({ value, path }),
      (error) => stop.signal.aborted || setLoaded({ error, path }),
    );
    return () => stop.abort();
  }, [path, again]);
  return loaded.path === path ? loaded : NOTHING;
}

/** Now, as the server has it; it moves once a second, and not where nothing depends on it. */
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
