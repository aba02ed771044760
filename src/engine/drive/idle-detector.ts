/**
 * Knows whether anything is going on in a run. When nothing is, the run either waits for a person
 * or its code waits for something that no verb will ever deliver.
 */
export type IdleDetector = {
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** A wait inside busy work that only the outside world can end. */
  rest<T>(wait: Promise<T>): Promise<T>;
  /** Looks again soon; used once at the start, for a body that never calls a verb. */
  look(): void;
};

export function createIdleDetector(onQuiet: () => void): IdleDetector {
  let active = 0;
  const look = (): void => {
    // The body's own code runs in microtasks: by the next turn it has called its next verb, or it never will.
    setImmediate(() => {
      if (active === 0) onQuiet();
    });
  };
  const leave = (): void => {
    active -= 1;
    if (active === 0) look();
  };
  return {
    look,
    async busy(work) {
      active += 1;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async rest(wait) {
      leave();
      try {
        return await wait;
      } finally {
        active += 1;
      }
    },
  };
}
