import { outputBytes } from "../spool.ts";

/** Tells that a process has written something. */
export type Growth = {
  /** The next time that there is more; resolves at once after `close`. */
  next(): Promise<void>;
  readonly closed: boolean;
  close(): void;
};

/**
 * Looks at the sizes instead of asking the system for notices: a flood gives one notice per write, which costs
 * the engine more than the flood costs its writer. The looks become rare while nothing happens.
 */
export function watchGrowth(spool: string): Growth {
  let closed = false;
  let seen = 0;
  let waitMs = SOONEST_MS;
  let waiting = Promise.withResolvers<void>();
  const tell = () => {
    waiting.resolve();
    if (!closed) waiting = Promise.withResolvers<void>();
  };
  const look = () => {
    const now = outputBytes(spool);
    waitMs = now === seen ? Math.min(waitMs * 1.5, LATEST_MS) : SOONEST_MS;
    if (now !== seen) tell();
    seen = now;
    timer = setTimeout(look, waitMs);
  };
  let timer = setTimeout(look, waitMs);
  return {
    next: () => waiting.promise,
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      tell();
    },
  };
}

const SOONEST_MS = 10;
const LATEST_MS = 100;
