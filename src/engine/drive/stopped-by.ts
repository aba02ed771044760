import { ERRORS, isMachines, SignalboxError } from "../../core/failure/errors.ts";
import { machineFailure, vanished } from "../../core/failure/machine-failure.ts";
import { threw } from "../replay/guards.ts";
import type { Conclusion } from "../run.ts";

/**
 * What an error in the middle of a run means for it. What the machine lacks is cured there, and the run goes on; a
 * pipeline that breaks a rule is repaired first; a run that somebody else has is not ours to end.
 */
export function stoppedBy(run: string, thrown: unknown): Conclusion {
  const error = machineFailure(thrown) ?? (thrown instanceof SignalboxError ? thrown : threw(run, thrown));
  if (error.code === "FENCED") return { kind: "lost", error };
  if (!isMachines(error)) return { kind: "broken", error };
  const { code, message, hint } = error;
  return { kind: "suspended", status: "interrupted", reason: `${message} ${hint}`, exit: ERRORS[code], code };
}

/** The same for an error of our own hands, not of the pipeline's code: a file of ours that is gone was removed. */
export function stoppedAtWork(run: string, thrown: unknown): Conclusion {
  return stoppedBy(run, vanished(thrown) ?? thrown);
}
