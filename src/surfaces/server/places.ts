import { Refusal } from "./refusal.ts";

/** One per browser where pages share one; more than anybody has. */
const MOST_STREAMS = 64;

/** Counts who follows: each holds a connection and looks at databases. */
export function createPlaces(): (until: AbortSignal) => void {
  let taken = 0;
  return (until) => {
    if (taken >= MOST_STREAMS) {
      throw new Refusal("TOO_MANY_STREAMS", "Too many pages follow at once.", "Close some of them.");
    }
    taken += 1;
    until.addEventListener("abort", () => {
      taken -= 1;
    });
  };
}
