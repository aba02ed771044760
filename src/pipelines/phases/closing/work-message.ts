import type { Progress } from "../context.ts";
import type { Context } from "../iteration.ts";
import { gatesOf, type Passed } from "./gates.ts";
import { commitMessage } from "./message.ts";

type WorkInput = Passed & { readonly progress: Pick<Progress, "plan" | "done" | "subject"> };

/** Builds the commit message for the work so far. */
export function messageOf({ task, unbuiltBy }: Pick<Context, "task" | "unbuiltBy">, work: WorkInput): string {
  const { plan, done, subject } = work.progress;
  const parts = [...done.values()].filter(({ changed }) => changed.length > 0).map(({ phase }) => phase);
  return commitMessage({ plan, subject, task, parts, gates: gatesOf({ ...work, unbuiltBy }) });
}
