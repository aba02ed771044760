export type Notifier = {
  /** How often a topic has rung: read it before looking at the store, hand it to `after`. */
  count(topic: string): number;
  ring(topic: string): void;
  ringAll(): void;
  /** Resolves once the topic has rung more than `seen` times, or the signal fires. */
  after(topic: string, seen: number, signal: AbortSignal): Promise<void>;
};

type Unwatch = () => void;

/**
 * Wakes those who wait in this process. `watch` starts looking for changes from elsewhere and returns
 * how to stop; it runs only while somebody waits.
 */
export function createNotifier(watch: () => Unwatch = () => () => undefined): Notifier {
  const rings = new Map<string, number>();
  const waiting = new Map<string, Set<Unwatch>>();
  let ringsOfAll = 0;
  let unwatch: Unwatch | undefined;

  const count = (topic: string) => ringsOfAll + (rings.get(topic) ?? 0);
  const wake = (topic: string) => {
    for (const one of [...(waiting.get(topic) ?? [])]) one();
  };
  const join = (topic: string, one: Unwatch) => {
    const there = waiting.get(topic) ?? new Set();
    waiting.set(topic, there.add(one));
    unwatch ??= watch();
  };
  const leave = (topic: string, one: Unwatch) => {
    const there = waiting.get(topic);
    there?.delete(one);
    if (there?.size === 0) waiting.delete(topic);
    if (waiting.size > 0) return;
    unwatch?.();
    unwatch = undefined;
  };

  return {
    count,
    ring: (topic) => {
      rings.set(topic, (rings.get(topic) ?? 0) + 1);
      wake(topic);
    },
    ringAll: () => {
      ringsOfAll++;
      for (const topic of [...waiting.keys()]) wake(topic);
    },
    after: (topic, seen, signal) =>
      new Promise((resolve) => {
        const done = () => {
          signal.removeEventListener("abort", done);
          leave(topic, done);
          resolve();
        };
        join(topic, done);
        signal.addEventListener("abort", done, { once: true });
        if (signal.aborted || count(topic) > seen) done();
      }),
  };
}

export const journalOf = (run: string): string => `journal/${run}`;
export const inboxOf = (run: string): string => `inbox/${run}`;
