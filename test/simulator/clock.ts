const START = Date.UTC(2030, 0, 1);

/** Virtual time: it advances from one timer to the next only while nothing else happens. */
export type Clock = {
  now(): number;
  /** Calls `act` after this many milliseconds; returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
  /** Ends early, without an error, when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Reports activity: the system is not idle yet. */
  touch(): void;
  /** Resolves when all pending work waits for time to pass. */
  quiet(): Promise<void>;
  /** Advances to the next timer; false if there is none. */
  tick(): boolean;
};

type Timer = { readonly at: number; readonly order: number; readonly act: () => void };

export function simulatedClock(): Clock {
  let now = START;
  let order = 0;
  let touched = 0;
  const timers = new Set<Timer>();
  const after: Clock["after"] = (ms, act) => {
    const timer = { at: now + Math.max(0, ms), order: order++, act };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  return {
    now: () => now,
    after,
    sleep: (ms, signal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          callOff();
          signal?.removeEventListener("abort", wake);
          touched += 1;
          resolve();
        };
        const callOff = after(ms, wake);
        signal?.addEventListener("abort", wake, { once: true });
      }),
    touch: () => {
      touched += 1;
    },
    async quiet() {
      // All pending work touches the clock within one turn of the event loop after the last touch.
      for (let before = -1; before !== touched; ) {
        before = touched;
        await turn();
        await turn();
      }
    },
    tick() {
      let first: Timer | undefined;
      for (const timer of timers) {
        if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
      }
      if (!first) return false;
      timers.delete(first);
      now = first.at;
      first.act();
      return true;
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
