import type { Retry } from "../../core/authoring/retry.ts";
import { EXIT } from "../../core/failure/exit-codes.ts";
import { type Failure, isMissingPrerequisite } from "../../core/failure/failure.ts";
import type { AttemptResult } from "../../core/journal/effect.ts";
import type { Run } from "../run.ts";
import type { AttemptHistory } from "./attempt-history.ts";

export type FailedAttempt = {
  readonly result: Exclude<AttemptResult, { outcome: "done" }>;
  readonly history: AttemptHistory;
  readonly retry: Retry | undefined;
};

/** A longer refusal counts as a used-up usage window. */
const LONGEST_REFUSAL_MS = 10 * 60_000;

export type HoldReason = { readonly title: string; readonly exit?: number };
type AttemptDecision = { readonly stop: Failure } | { readonly hold: HoldReason } | { readonly waitMs: number };

/**
 * Decides what follows a failed attempt: the end of the dispatch, a suspension until a person has looked, or another
 * try.
 */
export function decideAfterFailure(run: Run, { result, history, retry }: FailedAttempt): AttemptDecision {
  if (result.outcome === "interrupted") {
    if (result.orderly) return { waitMs: 0 };
    return history.interruptions < run.host.interruptions
      ? { waitMs: 0 }
      : { hold: holdAfterCrash(history.interruptions + 1) };
  }
  if (isMissingPrerequisite(result.failure)) return { hold: holdForPrerequisite(result.failure) };
  history.failures.push(result.failure);
  const next = retry?.(history.failures) ?? { again: false };
  if (!next.again) return next.rests ? { hold: holdAfterTransient(result.failure) } : { stop: result.failure };
  // An earlier try would only be refused again.
  const refusedFor = Math.min((result.failure.wakeAt ?? 0) - run.world.now(), LONGEST_REFUSAL_MS);
  return { waitMs: Math.max(next.waitMs, refusedFor) };
}

/** Engines die here repeatedly, perhaps because of this agent's work. */
const holdAfterCrash = (times: number): HoldReason => ({
  title: `The engine or its machine died ${times} times while the same agent was running. Earlier work is kept. Find the cause (memory, a time limit, a restart), then run \`signalbox resume\` to ask the agent again.`,
});

const holdForPrerequisite = ({ message }: Failure): HoldReason => ({
  title: `${message.replace(/[.\s]*$/, "")}. Earlier work is kept. \`signalbox doctor\` shows which agents are installed and logged in; \`signalbox resume\` then asks the agent again.`,
  exit: EXIT.environment,
});

const holdAfterTransient = ({ message }: Failure): HoldReason => ({
  title: `${message.replace(/[.\s]*$/, "")}. The failure is not about the work. Earlier work is kept, and \`signalbox resume\` asks the agent again.`,
  exit: EXIT.environment,
});
