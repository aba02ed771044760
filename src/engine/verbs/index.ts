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
  return {
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
  };
}
