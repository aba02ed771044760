import { hasTrait } from "../../../core/journal/step-verbs.ts";
import { roundsIn } from "../../rounds.ts";
import type { Step, Taking } from "../../taking.ts";
import { createWaitingScopes } from "./waiting-scopes.ts";

/** What a run did after a judgement: the next step that moves it on and does not go on beside it. */
export function createNextSteps(changed: (key: string, seq: number) => void) {
  /** Judged, and nothing came after it yet. */
  const waiting = createWaitingScopes();
  const scopes = new Map<string, string>();
  const next = new Map<string, string>();
  const settle = (key: string, seq: number, text: string): void => {
    scopes.delete(key);
    next.set(key, text);
    changed(key, seq);
  };
  const taking: Taking = {
    "step.started": (step) => {
      if (!hasTrait(step.verb, "advances")) return;
      for (const key of waiting.takeBefore(step.scope)) {
        settle(key, step.seq, nextText(scopes.get(key) ?? "", step));
      }
    },
    "run.finished": ({ status, seq }) => {
      for (const key of waiting.takeAll()) settle(key, seq, `the run ends as ${status}`);
    },
  };
  return {
    taking,
    waitFor(key: string, scope: string): void {
      scopes.set(key, scope);
      waiting.add(scope, key);
    },
    /** Empty while nothing has. */
    after: (key: string): string => next.get(key) ?? "",
  };
}

function nextText(scope: string, { scope: there, phase, verb }: Step): string {
  const before = new Map(roundsIn(scope).map(({ loop, round }) => [loop, round]));
  const later = roundsIn(there).find(({ loop, round }) => round > (before.get(loop) ?? round));
  if (later) return `round ${later.round} begins in ${phase}`;
  return VERBS[verb] ?? `goes on in ${phase}`;
}

const VERBS: Readonly<Record<string, string>> = {
  ask: "a person is asked",
  pause: "it rests until somebody resumes it",
  commit: "it commits",
};
