import { setTimeout as wait } from "node:timers/promises";

/** Calls back whenever there may be something new, until the signal fires. */
export type Watcher = (changed: () => void, signal: AbortSignal) => Promise<void>;

const AGAIN_MS = 1_000;

/** Shares one watcher per name among all listeners. It runs while there is at least one, until `closed` fires. */
export function createWatches(createWatcher: (name: string) => Watcher, closed: AbortSignal) {
  const watched = new Map<string, { readonly listeners: Set<() => void>; readonly left: AbortController }>();
  const begin = (name: string) => {
    const [listeners, left] = [new Set<() => void>(), new AbortController()];
    void keepWatching(createWatcher(name), () => notifyAll(listeners), AbortSignal.any([left.signal, closed]));
    return { listeners, left };
  };
  return (name: string, changed: () => void): (() => void) => {
    const watch = watched.get(name) ?? begin(name);
    watched.set(name, watch);
    watch.listeners.add(changed);
    return () => {
      watch.listeners.delete(changed);
      if (watch.listeners.size > 0) return;
      watch.left.abort();
      watched.delete(name);
    };
  };
}

function notifyAll(listeners: ReadonlySet<() => void>): void {
  for (const changed of listeners) changed();
}

/**
 * Restarts a watcher that failed because its database was closed or replaced; the listener gets the error from its own
 * request.
 */
async function keepWatching(watch: Watcher, changed: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await watch(changed, signal).catch(() => undefined);
    if (signal.aborted) return;
    changed();
    await wait(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}
