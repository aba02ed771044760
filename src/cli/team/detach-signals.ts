import type { Signals } from "../start/signals.ts";

/** Handles Ctrl-C for a person who only follows a run: it detaches and stops nothing. */
export function handleDetachSignals(): Signals {
  const stop = new AbortController();
  const leave = (): void => stop.abort();
  process.on("SIGINT", leave);
  process.on("SIGTERM", leave);
  return {
    stop: stop.signal,
    exit: () => (stop.signal.aborted ? 0 : undefined),
    interrupt: leave,
    close() {
      process.off("SIGINT", leave);
      process.off("SIGTERM", leave);
    },
  };
}
