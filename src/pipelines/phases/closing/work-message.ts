import type { Progress } from "../progress.ts";
import type { PhasesContext } from "../run-context.ts";
import { formatCommitMessage } from "./commit-message.ts";
import { formatGateLines, type PassedWork } from "./gate-lines.ts";

type WorkInput = PassedWork & { readonly progress: Pick<Progress, "plan" | "done" | "subject"> };

/** Builds the commit message for the work so far. */
export function buildCommitMessage(
  { task, unbuiltBy }: Pick<PhasesContext, "task" | "unbuiltBy">,
  work: WorkInput,
): string {
  const { plan, done, subject } = work.progress;
  const parts = [...done.values()].filter(({ changed }) => changed.length > 0).map(({ phase }) => phase);
  return formatCommitMessage({ plan, subject, task, parts, gates: formatGateLines({ ...work, unbuiltBy }) });
}
