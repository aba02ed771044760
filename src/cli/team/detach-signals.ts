import type { Signals } from "../start/signals.ts";

/** Whoever only follows a run leaves it with Ctrl-C; nothing of it is stopped. */
export function heedDetach(): Signals {
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
