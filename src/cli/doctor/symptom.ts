import { SignalboxError } from "../../core/failure/errors.ts";
import { machineFailure } from "../../core/failure/machine-failure.ts";

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
  const machine = machineFailure(error);
  if (machine) return machine;
  throw error;
}
