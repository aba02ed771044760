import { z } from "zod";
import type { Json } from "../text/json.ts";

export const CONFIDENCES = ["low", "medium", "high"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** How a pipeline ends: its return value, or what it gives to `end`. */
export type End = {
  readonly status: "done" | "error" | "blocked" | "stalled";
  readonly confidence?: Confidence;
  readonly reason?: string;
  /** A loop limit on which the pipeline ends by its own rule: the run leaves with exit 5. */
  readonly limit?: true;
  readonly report?: Json;
  /** What a person does next, line by line, where the pipeline knows. */
  readonly next?: readonly string[];
};

export const FINISHED = ["done", "error", "blocked", "stalled", "canceled"] as const;
export const SUSPENDED = ["waiting", "paused", "budget", "time", "interrupted", "broken"] as const;
export const FinishedStatus = z.enum(FINISHED);
export const SuspendedStatus = z.enum(SUSPENDED);
export type FinishedStatus = z.infer<typeof FinishedStatus>;
export type SuspendedStatus = z.infer<typeof SuspendedStatus>;

/** @rule L-47 (policy) Low confidence is done, not committed, with a reason, and leaves with 7. */
export function exitOfEnd(
  end: Pick<End, "confidence" | "limit"> & { status: FinishedStatus },
  need: Confidence,
): number {
  if (end.limit) return 5;
  if (end.status === "blocked" || end.status === "stalled") return 3;
  if (end.status !== "done") return 1;
  return end.confidence && CONFIDENCES.indexOf(end.confidence) < CONFIDENCES.indexOf(need) ? 7 : 0;
}

const SUSPENDED_EXIT = { waiting: 3, paused: 3, budget: 5, time: 5, interrupted: 130, broken: 1 } as const;

export function exitOfSuspension(status: SuspendedStatus): number {
  return SUSPENDED_EXIT[status];
}
