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
