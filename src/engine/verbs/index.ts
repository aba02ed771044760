import type { Verbs } from "../../core/authoring/verbs.ts";
import { enterScope } from "../replay/step.ts";
import { type Run, RunEnded } from "../run.ts";
import { createActVerbs } from "./act.ts";
import { createQuestionVerbs } from "./ask.ts";
import { createCheckVerbs } from "./check.ts";
import { createCommitVerbs } from "./commit.ts";
import { createBranchVerbs } from "./concurrency.ts";
import { createDispatchVerbs } from "./dispatch.ts";
import { createGateVerbs } from "./gate.ts";
import { createHeadingVerbs } from "./phase.ts";
import { createWorldVerbs } from "./world.ts";

export function createVerbs(run: Run, input: unknown): Verbs<unknown> {
  return silenceVerbs({
    input,
    run: run.id,
    ...createHeadingVerbs(run),
    ...createDispatchVerbs(run),
    ...createBranchVerbs(run),
    ...createCheckVerbs(run),
    ...createGateVerbs(run),
    ...createQuestionVerbs(run),
    ...createWorldVerbs(run),
    ...createActVerbs(run),
    ...createCommitVerbs(run),
    end(end) {
      if (!run.over) enterScope(run, "end()").ended = true;
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
