import { hasTrait } from "../../../core/journal/step-verbs.ts";
import type { RecordHandlers, Step } from "../../record-handlers.ts";
import { parseRounds } from "../../rounds.ts";
import { createWaitingScopes } from "./waiting-scopes.ts";

/**
 * Tracks what a run did after a gate evaluation: the next step that advances the run and does not run in parallel to
 * it.
 */
export function createNextSteps(changed: (key: string, seq: number) => void) {
  /** Evaluated gates that no step has followed yet. */
  const waiting = createWaitingScopes();
  const scopes = new Map<string, string>();
  const next = new Map<string, string>();
  const settle = (key: string, seq: number, text: string): void => {
    scopes.delete(key);
    next.set(key, text);
    changed(key, seq);
  };
  const taking: RecordHandlers = {
    "step.started": (step) => {
      if (!hasTrait(step.verb, "advances")) return;
      for (const key of waiting.takeBefore(step.scope)) {
        settle(key, step.seq, describeNextStep(scopes.get(key) ?? "", step));
      }
    },
    "run.finished": ({ status, seq }) => {
      for (const key of waiting.takeAll()) settle(key, seq, `the run ended as ${status}`);
    },
  };
  return {
    taking,
    waitFor(key: string, scope: string): void {
      scopes.set(key, scope);
      waiting.add(scope, key);
    },
    /** Empty if no step has followed yet. */
    after: (key: string): string => next.get(key) ?? "",
  };
}

function describeNextStep(scope: string, { scope: there, phase, verb }: Step): string {
  const before = new Map(parseRounds(scope).map(({ loop, round }) => [loop, round]));
  const later = parseRounds(there).find(({ loop, round }) => round > (before.get(loop) ?? round));
  if (later) return `round ${later.round} started in ${phase}`;
  return VERBS[verb] ?? `continued in ${phase}`;
}

const VERBS: Readonly<Record<string, string>> = {
  ask: "asked a person",
  pause: "paused until it is resumed",
  commit: "committed",
};
