/** Queues changed names. A name is queued once, however often it changes before it is taken. */
export type ChangeQueue = {
  add(name: string): void;
  /** Returns the next queued name that was not returned within the last `pause` milliseconds. */
  takeDue(now: number, pause: number): string | undefined;
  /** Waits until a name is due, at most `most` milliseconds. */
  wait(now: number, pause: number, most: number): Promise<void>;
};

export function createChangeQueue(signal: AbortSignal): ChangeQueue {
  const queued = new Set<string>();
  const given = new Map<string, number>();
  let wake = (): void => {};
  signal.addEventListener("abort", () => wake(), { once: true });
  const getReadyTime = (name: string, pause: number): number => (given.get(name) ?? Number.NEGATIVE_INFINITY) + pause;
  return {
    add(name) {
      if (queued.has(name)) return;
      queued.add(name);
      wake();
    },
    takeDue(now, pause) {
      const name = [...queued].find((each) => getReadyTime(each, pause) <= now);
      if (name === undefined) return undefined;
      queued.delete(name);
      given.set(name, now);
      return name;
    },
    async wait(now, pause, most) {
      if (signal.aborted) return;
      const ms = Math.min(most, ...[...queued].map((name) => getReadyTime(name, pause) - now));
      if (ms <= 0) return;
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
    },
  };
}
