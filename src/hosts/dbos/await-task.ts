import { SignalboxError } from "../../core/failure/errors.ts";
import type { Notices } from "./tables/listen-notify.ts";
import { type Tasks, taskTopic } from "./tables/tasks.ts";
import type { Outcome } from "./workflows/outcome.ts";
import type { WorkflowState } from "./workflows/workflow-state.ts";

export type AwaitParts = {
  readonly notices: Notices;
  readonly tasks: Pick<Tasks, "isOpen">;
  see(id: string): Promise<WorkflowState | undefined>;
};

/**
 * The outcome of a task, wherever it is carried out; undefined when the signal fires before. Each look begins with
 * `first`: what takes the task away there does so between two looks, and is not taken for its end.
 */
export async function awaitTask(
  { notices, tasks, see }: AwaitParts,
  id: string,
  signal: AbortSignal,
  first: () => Promise<void> = async () => undefined,
): Promise<Outcome<unknown> | undefined> {
  try {
    while (!signal.aborted) {
      await notices.listening();
      const rung = notices.notifier.count(taskTopic(id));
      await first();
      if (signal.aborted) break;
      if (!(await tasks.isOpen(id))) return outcomeOf(await see(id), id);
      await notices.notifier.after(taskTopic(id), rung, signal);
    }
  } catch (error) {
    // The host closes under it: a task that left just then was given up here, and has its outcome elsewhere.
    if (!signal.aborted) throw error;
  }
  return undefined;
}

function outcomeOf(state: WorkflowState | undefined, id: string): Outcome<unknown> {
  if (state && !state.active) return state.outcome;
  throw new SignalboxError(
    "INTERNAL",
    `The task ${id} is gone and has left no outcome.`,
    "Drive the run again: what it had done is in its journal. Please report this.",
  );
}
