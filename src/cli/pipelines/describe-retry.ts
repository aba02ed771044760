import type { Retry } from "../../core/authoring/retry.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";

const MOST = 20;
const FAILED: Failure = { class: "transient", code: "asked", message: "what would you do?" };

/** A retry policy is a pure function, so it can be called to describe it. */
export function describeRetry(retry: Retry): string {
  const waits: number[] = [];
  while (waits.length < MOST) {
    const next = retry(Array.from({ length: waits.length + 1 }, () => FAILED));
    if (!next.again) break;
    waits.push(next.waitMs);
  }
  if (waits.length === 0) return "no retry";
  const times = waits.length === 1 ? "1 retry" : `up to ${waits.length} retries`;
  return waits.every((ms) => ms === 0) ? times : `${times}, after ${waits.map(formatDuration).join(", ")}`;
}
