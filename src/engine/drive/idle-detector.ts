/**
 * Detects that no step of a run is active. The run then waits either for a person or for something that no verb
 * delivers.
 */
export type IdleDetector = {
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** Marks a wait inside active work that only an outside event can end. */
  rest<T>(wait: Promise<T>): Promise<T>;
  /** Checks again soon. Called once at the start, for a body that never calls a verb. */
  look(): void;
};

export function createIdleDetector(onQuiet: () => void): IdleDetector {
  let active = 0;
  const look = (): void => {
    // The code of the body runs in microtasks: it has called its next verb by the next turn, or it never will.
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
