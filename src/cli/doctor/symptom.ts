import { SignalboxError } from "../core/errors.ts";

/** One thing that a run needs or profits from. `missing`: no run can start without it. */
export type Symptom = {
  readonly what: string;
  readonly state: "fine" | "missing" | "note";
  readonly says: string;
  /** The very line that gets what is not there. */
  readonly get?: string;
};

/** A mistake that a person can repair is a symptom; anything else is a bug of ours. */
export function refusal(error: unknown): SignalboxError {
  if (error instanceof SignalboxError) return error;
  throw error;
}
