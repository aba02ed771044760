import { SignalboxError } from "../../core/failure/errors.ts";

/** Hint for a changed pipeline. Each rule of replay below has the sentence that a pipeline author reads. */

const RESTORE = "Restore the code that this run began with and resume it, or start a new run.";

export function createConcurrentError(run: string, verb: string, pending: string): SignalboxError {
  return new SignalboxError(
    "VERB_CONCURRENT",
    `Run ${run} called ${verb} while "${pending}" was still running in the same scope.`,
    "Await each verb before the next; for parallel work use parallel() or together(), never Promise.all.",
  );
}

export function createUnawaitedError(run: string, pending: string, where: string): SignalboxError {
  return new SignalboxError(
    "VERB_UNAWAITED",
    `Run ${run}: ${where} returned while "${pending}" was still running.`,
    "Put an await in front of that verb.",
  );
}

export function createVerbOutsideError(verb: string): SignalboxError {
  return new SignalboxError(
    "VERB_OUTSIDE",
    `${verb} was called outside a running pipeline, or after the branch it belongs to had ended.`,
    "Call verbs only inside the pipeline's function, and await them there; do not call them from timers or event handlers.",
  );
}

export function createDivergedError(run: string, reached: string, recorded: string): SignalboxError {
  return new SignalboxError(
    "STEP_DIVERGED",
    `Run ${run} reached "${reached}", but its journal has "${recorded}" at that place.`,
    `A step was renamed, inserted, removed or moved since the run began. ${RESTORE}`,
  );
}

type TakenSteps = { readonly run: string; readonly phase: string };

export function createStepChangedError(run: string, key: string, from?: TakenSteps): SignalboxError {
  if (from) return createForkChangedError(run, key, from);
  return new SignalboxError(
    "STEP_CHANGED",
    `Run ${run}: the step "${key}" was recorded with a different input than it has now.`,
    `Inputs must depend only on recorded values: use see("now") and see("uuid") instead of a clock or random numbers. ${RESTORE}`,
  );
}

/** The code may be right: the input differs from that of the older run. */
function createForkChangedError(run: string, key: string, from: TakenSteps): SignalboxError {
  return new SignalboxError(
    "STEP_CHANGED",
    `Run ${run} took over the steps of ${from.run} before "${from.phase}", but "${key}" has a different input here.`,
    "The input, the configuration or the pipeline differs from that run. Use the same, name an earlier phase after --from, or start a new run without it.",
  );
}

export function createUnreachedError(run: string, keys: readonly string[]): SignalboxError {
  const named = keys.slice(0, 3).map((key) => `"${key}"`);
  const more = keys.length > 3 ? ` and ${keys.length - 3} more` : "";
  return new SignalboxError(
    "STEP_UNREACHED",
    `Run ${run} ended without reaching ${named.join(", ")}${more}, which its journal has.`,
    `A step was removed since the run began, or a condition reads something that is not recorded. ${RESTORE}`,
  );
}

export function createNotJsonError(run: string, key: string, lost: string): SignalboxError {
  return new SignalboxError(
    "VALUE_NOT_JSON",
    `Run ${run}: "${key}" was given ${lost}, which cannot be recorded.`,
    "Pass plain data: strings, numbers, booleans, null, arrays and plain objects.",
  );
}

export function createSwallowedError(run: string, verb: string): SignalboxError {
  return new SignalboxError(
    "END_SWALLOWED",
    `Run ${run} called end(), but the pipeline caught it and continued with ${verb}.`,
    "Do not catch what end() throws: call it outside try, or rethrow in the catch.",
  );
}

export function createStuckError(run: string): SignalboxError {
  return new SignalboxError(
    "BODY_STUCK",
    `Run ${run} waits for something that is not a verb: no step is running and no question is open.`,
    "Look for an await on a timer, a file, a request or a promise that never settles, and use a verb instead.",
  );
}

export function createThrewError(run: string, error: unknown): SignalboxError {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new SignalboxError(
    "BODY_THREW",
    `Run ${run}: the pipeline's own code threw ${text.replace(/\.$/, "")}.`,
    "Fix the pipeline and resume the run; recorded steps are kept.",
    { cause: error },
  );
}

export function createPhaseMissingError(run: string, verb: string): SignalboxError {
  return new SignalboxError(
    "PHASE_MISSING",
    `Run ${run} called ${verb} before any phase().`,
    "Call phase() with the pipeline's first heading before the first verb.",
  );
}

export function createDuplicateBranchError(run: string, name: string): SignalboxError {
  return new SignalboxError(
    "BRANCH_DUPLICATE",
    `Run ${run}: two branches of one parallel() are named "${name}".`,
    "Give parallel() a `key` that tells its items apart.",
  );
}
