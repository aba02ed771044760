const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

/**
 * Counts wrong tokens and codes. Above the limit a guesser no longer learns whether a guess is wrong. A client with the
 * right token is never locked out by the guesses of others.
 */
export function createFailureLimit(now: () => number) {
  let times: number[] = [];
  return {
    /** Counts one failure. Returns true if there were too many lately. */
    add(): boolean {
      const since = now() - WINDOW_MS;
      times = [...times.filter((at) => at > since), now()].slice(-(MAX_FAILURES + 1));
      return times.length > MAX_FAILURES;
    },
  };
}

export type FailureLimit = ReturnType<typeof createFailureLimit>;
