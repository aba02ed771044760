export type Notifier = {
  /** The number of rings of a topic: read it before checking the store and pass it to `after`. */
  count(topic: string): number;
  ring(topic: string): void;
  ringAll(): void;
  /** Resolves once the topic has rung more than `seen` times, or the signal fires. */
  after(topic: string, seen: number, signal: AbortSignal): Promise<void>;
};

type Unwatch = () => void;

/**
 * Wakes waiters in this process. `watch` starts watching for external changes and returns a function that stops it; it
 * is active only while there are waiters.
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
        const finish = () => {
          signal.removeEventListener("abort", finish);
          leave(topic, finish);
          resolve();
        };
        join(topic, finish);
        signal.addEventListener("abort", finish, { once: true });
        if (signal.aborted || count(topic) > seen) finish();
      }),
  };
}

export const formatJournalTopic = (run: string): string => `journal/${run}`;
export const formatInboxTopic = (run: string): string => `inbox/${run}`;
