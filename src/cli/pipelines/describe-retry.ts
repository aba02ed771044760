import type { Retry } from "../../core/authoring/retry.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { duration } from "../../surfaces/terminal/duration.ts";

const MOST = 20;
const FAILED: Failure = { class: "transient", code: "asked", message: "what would you do?" };

/** A policy is a pure function, so it can simply be asked. */
export function describeRetry(retry: Retry): string {
  const waits: number[] = [];
  while (waits.length < MOST) {
    const next = retry(Array.from({ length: waits.length + 1 }, () => FAILED));
    if (!next.again) break;
    waits.push(next.waitMs);
  }
  if (waits.length === 0) return "no retry";
  const times = waits.length === 1 ? "once more" : `up to ${waits.length} more times`;
  return waits.every((ms) => ms === 0) ? times : `${times}, after ${waits.map(duration).join(", ")}`;
}
