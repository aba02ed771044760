import type { Failure } from "../failure/failure.ts";

/**
 * What is done while an agent's model gives nothing more: its usage window, or its balance, is used up.
 * `wait` until it said it would open again; `switch` to the agent that was named to play instead; `ask` a person;
 * `stop` the run until it is resumed. What cannot be done becomes the one before it in that sense: nobody to switch to
 * waits, and a window of which nobody knows when it opens stops.
 */
export const QUOTA_POLICIES = ["wait", "switch", "ask", "stop"] as const;
export type QuotaPolicy = (typeof QUOTA_POLICIES)[number];

export const QUOTA_CODE = "quota";

/** True where the calendar is to blame and not the agent: no retry of a pipeline's is spent on it. */
export function isUsedUp(failure: Failure): boolean {
  return failure.code === QUOTA_CODE;
}
