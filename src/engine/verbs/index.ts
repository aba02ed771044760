import type { Verbs } from "../../core/authoring/verbs.ts";
import { enter } from "../replay/step.ts";
import { type Run, RunEnded } from "../run.ts";
import { actVerbs } from "./act.ts";
import { questionVerbs } from "./ask.ts";
import { checkVerbs } from "./check.ts";
import { commitVerbs } from "./commit.ts";
import { branchVerbs } from "./concurrency.ts";
import { dispatchVerbs } from "./dispatch.ts";
import { gateVerbs } from "./gate.ts";
import { headingVerbs } from "./phase.ts";
import { worldVerbs } from "./world.ts";

export function verbsOf(run: Run, input: unknown): Verbs<unknown> {
  return silenceVerbs({
    input,
    run: run.id,
    ...headingVerbs(run),
    ...dispatchVerbs(run),
    ...branchVerbs(run),
    ...checkVerbs(run),
    ...gateVerbs(run),
    ...questionVerbs(run),
    ...worldVerbs(run),
    ...actVerbs(run),
    ...commitVerbs(run),
    end(end) {
      if (!run.over) enter(run, "end()").ended = true;
      run.ending ??= end;
      throw new RunEnded(end);
    },
  });
}

/**
 * Silences rejected promises of verbs: an unawaited verb has its own guard and must not end the process as an unhandled
 * rejection.
 */
function silenceVerbs(verbs: Verbs<unknown>): Verbs<unknown> {
  const silenceRejection = (verb: unknown): unknown => {
    if (typeof verb !== "function") return verb;
    return (...args: unknown[]): unknown => {
      const result: unknown = verb(...args);
      if (result instanceof Promise) result.catch(() => {});
      return result;
    };
  };
  // Every verb keeps its name and its signature.
  return Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, silenceRejection(verb)])) as never;
}
