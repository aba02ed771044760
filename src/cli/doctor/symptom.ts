import { SignalboxError } from "../../core/failure/errors.ts";
import { toMachineError } from "../../core/failure/machine-failure.ts";

/** One prerequisite or recommendation for a run. `missing`: no run can start without it. */
export type Symptom = {
  readonly what: string;
  readonly state: "fine" | "missing" | "note";
  readonly says: string;
  /** The command or edit that fixes the problem. */
  readonly get?: string;
};

/** Returns an error that the user can fix. Any other error is a bug and is thrown. */
export function toUserError(error: unknown): SignalboxError {
  if (error instanceof SignalboxError) return error;
  const machine = toMachineError(error);
  if (machine) return machine;
  throw error;
}
