/** Remembers that something was rung for, never how often: a thousand changes between two looks are one. */
export type Bell = {
  ring(name: string): void;
  /** The next that was rung for and was not given within `pause`. */
  due(now: number, pause: number): string | undefined;
  /** Until one is due, at most so long. */
  wait(now: number, pause: number, most: number): Promise<void>;
};

export function createBell(signal: AbortSignal): Bell {
  const rung = new Set<string>();
  const given = new Map<string, number>();
  let wake = (): void => {};
  signal.addEventListener("abort", () => wake(), { once: true });
  const readyAt = (name: string, pause: number): number => (given.get(name) ?? Number.NEGATIVE_INFINITY) + pause;
  return {
    ring(name) {
      if (rung.has(name)) return;
      rung.add(name);
      wake();
    },
    due(now, pause) {
      const name = [...rung].find((each) => readyAt(each, pause) <= now);
      if (name === undefined) return undefined;
      rung.delete(name);
      given.set(name, now);
      return name;
    },
    async wait(now, pause, most) {
      if (signal.aborted) return;
      const ms = Math.min(most, ...[...rung].map((name) => readyAt(name, pause) - now));
      if (ms <= 0) return;
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      const timer = setTimeout(woken.resolve, ms);
      await woken.promise;
      clearTimeout(timer);
    },
  };
}
