import type { Taking } from "./taking.ts";

/** A step in which project commands run. */
export type CheckingStep = { readonly key: string; readonly phase: string; readonly since: number };

export type CheckingView = {
  /** Steps that have not ended. */
  readonly checking: readonly CheckingStep[];
};

export function createChecking() {
  const open = new Map<string, CheckingStep>();
  const taking: Taking = {
    "step.started": ({ key, phase, verb, ts: since }) => {
      if (verb === "check") open.set(key, { key, phase, since });
    },
    "step.finished": ({ key }) => void open.delete(key),
  };
  return { taking, view: (finished: boolean): CheckingView => ({ checking: finished ? [] : [...open.values()] }) };
}
