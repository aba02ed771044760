import { SignalboxError } from "../../core/failure/errors.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { formatTaskTopic, type Tasks } from "./tables/tasks.ts";
import type { WorkflowOutcome } from "./workflows/outcome.ts";
import type { WorkflowState } from "./workflows/workflow-state.ts";

export type TaskWaiter = {
  readonly notices: Notices;
  readonly tasks: Pick<Tasks, "isOpen">;
  see(id: string): Promise<WorkflowState | undefined>;
};

/**
 * Waits for the outcome of a task on any worker. Returns undefined if the signal fires first. `first` runs before each
 * check: a task that it withdraws must not be mistaken for a finished one.
 */
export async function awaitTask(
  { notices, tasks, see }: TaskWaiter,
  id: string,
  signal: AbortSignal,
  first: () => Promise<void> = async () => undefined,
): Promise<WorkflowOutcome<unknown> | undefined> {
  try {
    while (!signal.aborted) {
      await notices.listening();
      const rung = notices.notifier.count(formatTaskTopic(id));
      await first();
      if (signal.aborted) break;
      if (!(await tasks.isOpen(id))) return requireOutcome(await see(id), id);
      await notices.notifier.after(formatTaskTopic(id), rung, signal);
    }
  } catch (error) {
    // The host is closing. A task that disappears now was handed over, and its outcome is recorded elsewhere.
    if (!signal.aborted) throw error;
  }
  return undefined;
}

function requireOutcome(state: WorkflowState | undefined, id: string): WorkflowOutcome<unknown> {
  if (state && !state.active) return state.outcome;
  throw new SignalboxError(
    "INTERNAL",
    `Task ${id} disappeared without recording an outcome.`,
    "Drive the run again: its completed work is in its journal. Please report this.",
  );
}
