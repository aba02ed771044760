import { measureOutput } from "../spool.ts";

/** Signals that a process has written output. */
export type Growth = {
  /** Resolves at the next growth, and at once after `close`. */
  next(): Promise<void>;
  readonly closed: boolean;
  close(): void;
};

/**
 * Polls file sizes instead of watching: a flood causes one notice per write, which costs the engine more than its
 * writer. The interval grows while nothing changes.
 */
export function watchGrowth(spool: string): Growth {
  let closed = false;
  let seen = 0;
  let waitMs = SOONEST_MS;
  let waiting = Promise.withResolvers<void>();
  const resolveWaiting = () => {
    waiting.resolve();
    if (!closed) waiting = Promise.withResolvers<void>();
  };
  const look = () => {
    const now = measureOutput(spool);
    waitMs = now === seen ? Math.min(waitMs * 1.5, LATEST_MS) : SOONEST_MS;
    if (now !== seen) resolveWaiting();
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
      resolveWaiting();
    },
  };
}

const SOONEST_MS = 10;
const LATEST_MS = 100;
