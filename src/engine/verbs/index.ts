import type { Verbs } from "../../core/verbs.ts";
import { Ended, type Run } from "../run.ts";
import { enter } from "../step.ts";
import { branchVerbs } from "./branches.ts";
import { checkVerbs } from "./check.ts";
import { commitVerbs } from "./commit.ts";
import { dispatchVerbs } from "./dispatch.ts";
import { gateVerbs } from "./gate.ts";
import { headingVerbs } from "./headings.ts";
import { questionVerbs } from "./questions.ts";
import { worldVerbs } from "./world.ts";

export function verbsOf(run: Run, input: unknown): Verbs<unknown> {
  return handled({
    input,
    run: run.id,
    ...headingVerbs(run),
    ...dispatchVerbs(run),
    ...branchVerbs(run),
    ...checkVerbs(run),
    ...gateVerbs(run),
    ...questionVerbs(run),
    ...worldVerbs(run),
    ...commitVerbs(run),
    end(end) {
      if (!run.over) enter(run, "end()").ended = true;
      run.ending ??= end;
      throw new Ended(end);
    },
  });
}

/** A verb that nobody awaits has its own guard; its promise must not end the process as an unhandled rejection. */
function handled(verbs: Verbs<unknown>): Verbs<unknown> {
  const quiet = (verb: unknown): unknown => {
    if (typeof verb !== "function") return verb;
    return (...args: unknown[]): unknown => {
      const result: unknown = verb(...args);
      if (result instanceof Promise) result.catch(() => {});
      return result;
    };
  };
  // Every entry keeps its name and its signature.
  return Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, quiet(verb)])) as never;
}
