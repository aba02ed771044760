import type { End } from "../core/end.ts";
import { SignalboxError } from "../core/errors.ts";
import * as guards from "./guards.ts";
import { Ended, type Run, StepFailed } from "./run.ts";
import { rootScope } from "./scope.ts";
import { semaphore } from "./semaphore.ts";
import { inside } from "./verbs/branches.ts";
import { verbsOf } from "./verbs/index.ts";

/** Runs the pipeline's function and turns every way it can leave into one conclusion. */
export function startBody(run: Run): void {
  const root = rootScope(semaphore(run.pipeline.cap));
  run.pulse.look();
  inside(run, root, async () => run.pipeline.body(verbsOf(run, run.started.input)))
    .then((end) => ended(run, end))
    .catch((error: unknown) => left(run, error));
}

function ended(run: Run, end: End): void {
  const unreached = [...run.history.keys].filter((key) => !run.visited.has(key));
  if (unreached.length > 0) run.conclude({ kind: "broken", error: guards.unreached(run.id, unreached) });
  else run.conclude({ kind: "ended", end });
}

function left(run: Run, error: unknown): void {
  if (run.over) return;
  if (error instanceof Ended) ended(run, error.end);
  else if (error instanceof StepFailed || error instanceof SignalboxError)
    ended(run, { status: "error", reason: error.message });
  else run.conclude({ kind: "broken", error: guards.threw(run.id, error) });
}
