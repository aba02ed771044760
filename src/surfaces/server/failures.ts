const MOST = 10;
const WINDOW_MS = 60_000;

/**
 * Wrong tokens and codes. Who goes on guessing is told nothing any more, not even that a guess was wrong; who has the
 * right one is never kept out by others' guesses.
 */
export function createFailures(now: () => number) {
  let times: number[] = [];
  return {
    /** Counts one; true when there were too many lately. */
    add(): boolean {
      const since = now() - WINDOW_MS;
      times = [...times.filter((at) => at > since), now()].slice(-(MOST + 1));
      return times.length > MOST;
    },
  };
}

export type Failures = ReturnType<typeof createFailures>;
