import type { RecordHandlers } from "./record-handlers.ts";

/** A step in which project commands run. */
export type RunningCheckStep = { readonly key: string; readonly phase: string; readonly since: number };

export type CheckingView = {
  /** Steps that have not ended. */
  readonly checking: readonly RunningCheckStep[];
};

export function createChecking() {
  const open = new Map<string, RunningCheckStep>();
  const taking: RecordHandlers = {
    "step.started": ({ key, phase, verb, ts: since }) => {
      if (verb === "check") open.set(key, { key, phase, since });
    },
    "step.finished": ({ key }) => void open.delete(key),
  };
  return { taking, view: (finished: boolean): CheckingView => ({ checking: finished ? [] : [...open.values()] }) };
}
