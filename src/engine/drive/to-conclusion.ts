import { ERRORS, isMachineError, SignalboxError } from "../../core/failure/errors.ts";
import { toMachineError, toMissingFileError } from "../../core/failure/machine-failure.ts";
import { createThrewError } from "../replay/guards.ts";
import type { Conclusion } from "../run.ts";

/**
 * Maps an error during a run to its conclusion. A missing prerequisite of the machine suspends the run; a pipeline that
 * breaks a rule must be repaired first; a run that another engine owns is lost.
 */
export function toConclusion(run: string, thrown: unknown): Conclusion {
  const error = toMachineError(thrown) ?? (thrown instanceof SignalboxError ? thrown : createThrewError(run, thrown));
  if (error.code === "FENCED") return { kind: "lost", error };
  if (!isMachineError(error)) return { kind: "broken", error };
  const { code, message, hint } = error;
  return { kind: "suspended", status: "interrupted", reason: `${message} ${hint}`, exit: ERRORS[code], code };
}

/** Maps an error in the engine's own work: a missing file of ours was removed from outside. */
export function toStepConclusion(run: string, thrown: unknown): Conclusion {
  return toConclusion(run, toMissingFileError(thrown) ?? thrown);
}
