import type { Failure } from "../core/failure/failure.ts";
import type { Json } from "../core/text/json.ts";
import type { RecordHandlers } from "./record-handlers.ts";

/**
 * A step that the pipeline performed itself, with `act`. Its result is a claim, because only the pipeline's own code
 * reports it.
 */
export type OwnStep = {
  readonly key: string;
  readonly name: string;
  readonly phase: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly claim?: Json;
  readonly failure?: Failure;
};

export type OwnStepsView = {
  /** In start order. */
  readonly ownSteps: readonly OwnStep[];
};

export function createOwnSteps() {
  const steps = new Map<string, OwnStep>();
  const taking: RecordHandlers = {
    "step.started": ({ key, phase, verb, ts: startedAt }) => {
      if (verb === "act") steps.set(key, { key, name: decodeStepName(key), phase, startedAt });
    },
    "step.finished": ({ key, ts: endedAt, value, failure }) => {
      const begun = steps.get(key);
      if (!begun) return;
      const claim = value === undefined ? {} : { claim: value };
      steps.set(key, { ...begun, endedAt, ...claim, ...(failure ? { failure } : {}) });
    },
  };
  return { taking, view: (): OwnStepsView => ({ ownSteps: [...steps.values()] }) };
}

/** Number of ended steps that are displayed. */
const MAX_ENDED = 5;

export function selectRecentOwnSteps({ ownSteps }: OwnStepsView): readonly OwnStep[] {
  const ended = ownSteps.filter(({ endedAt }) => endedAt !== undefined);
  const old = new Set(ended.slice(0, -MAX_ENDED));
  return ownSteps.filter((step) => !old.has(step));
}

/** Returns the last part of a key, decoded to the form its author wrote. */
export function decodeStepName(key: string): string {
  const last = key.slice(key.lastIndexOf("/") + 1);
  return last.replaceAll("%23", "#").replaceAll("%2F", "/").replaceAll("%25", "%");
}
