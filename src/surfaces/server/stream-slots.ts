import { Refusal } from "./refusal.ts";

/** Maximum number of open streams. Pages of one browser share one. */
const MOST_STREAMS = 64;

/** Limits open streams, because each holds a connection and reads databases. */
export function createStreamSlots(): (until: AbortSignal) => void {
  let taken = 0;
  return (until) => {
    if (taken >= MOST_STREAMS) {
      throw new Refusal("TOO_MANY_STREAMS", "Too many dashboard pages are open.", "Close some of them.");
    }
    taken += 1;
    until.addEventListener("abort", () => {
      taken -= 1;
    });
  };
}
