import { ERRORS, type ErrorCode, SignalboxError } from "../../../core/failure/errors.ts";

/**
 * What a workflow leaves behind. It never ends in an error of DBOS's: that would be repeated to everyone who asks
 * again, for ever, while here only `final` is the last word. `by` is the process that has what was not finished, or
 * could not be told of.
 */
export type Outcome<T> =
  | { readonly kind: "final"; readonly value: T }
  /** It was told to stop; the value is what it had to say then. */
  | { readonly kind: "stopped"; readonly value: T; readonly by?: string }
  | { readonly kind: "threw"; readonly error: ThrownError; readonly by?: string };

type ThrownError = {
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
  readonly stack?: string;
};

export async function outcomeOf<T>(body: () => Promise<T>, signal: AbortSignal): Promise<Outcome<T>> {
  try {
    const value = await body();
    return { kind: signal.aborted ? "stopped" : "final", value };
  } catch (error) {
    return { kind: "threw", error: thrown(error) };
  }
}

export function valueIn<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== "threw") return outcome.value;
  const { message, code, hint, stack } = outcome.error;
  const error = isErrorCode(code) ? new SignalboxError(code, message, hint ?? "") : new Error(message);
  // The place where it was thrown, maybe in another process, says more than this one.
  if (stack) error.stack = stack;
  throw error;
}

function thrown(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { message: String(error) };
  const stack = error.stack === undefined ? {} : { stack: error.stack };
  if (error instanceof SignalboxError) return { message: error.message, code: error.code, hint: error.hint, ...stack };
  return { message: error.message, ...stack };
}

const isErrorCode = (code: string | undefined): code is ErrorCode => code !== undefined && Object.hasOwn(ERRORS, code);
