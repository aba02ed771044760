import { ERRORS, type ErrorCode, SignalboxError } from "../../../core/failure/errors.ts";

/**
 * The outcome of a workflow. Errors are stored as values, because DBOS repeats a failed workflow's error to every later
 * caller, while here only `final` is definite. `by` is the process that stores unfinished work.
 */
export type WorkflowOutcome<T> =
  | { readonly kind: "final"; readonly value: T }
  /** The workflow was stopped; the value is what it returned then. */
  | { readonly kind: "stopped"; readonly value: T; readonly by?: string }
  | { readonly kind: "threw"; readonly error: ThrownError; readonly by?: string };

type ThrownError = {
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
  readonly stack?: string;
};

export async function captureOutcome<T>(body: () => Promise<T>, signal: AbortSignal): Promise<WorkflowOutcome<T>> {
  try {
    const value = await body();
    return { kind: signal.aborted ? "stopped" : "final", value };
  } catch (error) {
    return { kind: "threw", error: toThrownError(error) };
  }
}

export function unwrapOutcome<T>(outcome: WorkflowOutcome<T>): T {
  if (outcome.kind !== "threw") return outcome.value;
  const { message, code, hint, stack } = outcome.error;
  const error = isErrorCode(code) ? new SignalboxError(code, message, hint ?? "") : new Error(message);
  // The stack of the original throw, maybe in another process, is more useful.
  if (stack) error.stack = stack;
  throw error;
}

function toThrownError(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { message: String(error) };
  const stack = error.stack === undefined ? {} : { stack: error.stack };
  if (error instanceof SignalboxError) return { message: error.message, code: error.code, hint: error.hint, ...stack };
  return { message: error.message, ...stack };
}

const isErrorCode = (code: string | undefined): code is ErrorCode => code !== undefined && Object.hasOwn(ERRORS, code);
