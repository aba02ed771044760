import { z } from "zod";
import type { Json } from "../text/json.ts";

export const CONFIDENCES = ["low", "medium", "high"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** Result of a pipeline: its return value, or the argument of `end`. */
export type End = {
  readonly status: "done" | "error" | "blocked" | "stalled";
  readonly confidence?: Confidence;
  readonly reason?: string;
  /** The pipeline ended because one of its own loops reached its limit. The run exits with 5. */
  readonly limit?: true;
  readonly report?: Json;
  /** Next steps for a person, one per line, if the pipeline knows them. */
  readonly next?: readonly string[];
};

export const FINISHED = ["done", "error", "blocked", "stalled", "canceled"] as const;
export const SUSPENDED = ["waiting", "paused", "budget", "time", "interrupted", "broken"] as const;
export const FinishedStatus = z.enum(FINISHED);
export const SuspendedStatus = z.enum(SUSPENDED);
export type FinishedStatus = z.infer<typeof FinishedStatus>;
export type SuspendedStatus = z.infer<typeof SuspendedStatus>;
