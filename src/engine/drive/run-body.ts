import type { End } from "../../core/authoring/end.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import * as guards from "../replay/guards.ts";
import { createRootScope } from "../replay/scope.ts";
import { type Run, RunEnded, StepFailed } from "../run.ts";
import { createSemaphore } from "../semaphore.ts";
import { runInScope } from "../verbs/concurrency.ts";
import { createVerbs } from "../verbs/index.ts";
import { runPreflight } from "./preflight.ts";
import { toConclusion } from "./to-conclusion.ts";

/** Runs the function of the pipeline and turns each way it can leave into one conclusion. */
export function startBody(run: Run): void {
  const root = createRootScope(createSemaphore(run.pipeline.cap));
  run.idle.look();
  runPreflight(run)
    .then((unready) => {
      if (unready !== undefined) return run.conclude({ kind: "unready", ...unready });
      return runInScope(run, root, async () => run.pipeline.body(createVerbs(run, run.started.input))).then((end) =>
        concludeEnded(run, end),
      );
    })
    .catch((error: unknown) => concludeThrown(run, error));
}

function concludeEnded(run: Run, end: End): void {
  const unreached = run.history.keys.filter((key) => !run.visited.has(key));
  if (unreached.length > 0) run.conclude({ kind: "broken", error: guards.createUnreachedError(run.id, unreached) });
  else run.conclude({ kind: "ended", end });
}

/** Errors in the plan of an agent or in the input of a person. They are the same on every try, so the run ends. */
const PLANS_FAULT: ReadonlySet<string> = new Set(["PLAN_CYCLE", "INPUT_INVALID"]);

function concludeThrown(run: Run, error: unknown): void {
  if (run.over) return;
  if (error instanceof RunEnded) concludeEnded(run, error.end);
  else if (error instanceof StepFailed || (error instanceof SignalboxError && PLANS_FAULT.has(error.code)))
    concludeEnded(run, { status: "error", reason: error.message });
  // Any other error may be repaired in the pipeline or on the machine: the run is suspended and can continue.
  else run.conclude(toConclusion(run.id, error));
}
