import type { Failure } from "../failure/failure.ts";

/**
 * Reaction to an exhausted model quota (usage window or balance). `wait` until the reported reset time; `switch` to the
 * configured fallback agent; `ask` a person; `stop` the run until it is resumed. An impossible reaction is downgraded:
 * `switch` without a fallback waits, and `wait` without a known reset time stops.
 */
export const QUOTA_POLICIES = ["wait", "switch", "ask", "stop"] as const;
export type QuotaPolicy = (typeof QUOTA_POLICIES)[number];

export const QUOTA_CODE = "quota";

/** Returns whether the quota is exhausted. That is not the agent's fault, so it consumes no retry of the pipeline. */
export function isQuotaFailure(failure: Failure): boolean {
  return failure.code === QUOTA_CODE;
}
