import { isQuotaFailure } from "../../core/budget/quota.ts";
import { type Failure, isMissingPrerequisite } from "../../core/failure/failure.ts";
import type { AttemptResult } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { PastAttempt, PastStep } from "../replay/history.ts";
import type { QuotaRefusal } from "./quota.ts";

/** The attempts of a dispatch so far. */
export type AttemptHistory = {
  /** The number of attempts that were started. */
  number: number;
  /** An attempt that was started by an engine that is gone, and has not ended. */
  open: JournalRecord<"agent.started"> | undefined;
  firstAt: number | undefined;
  /**
   * The failures that the retry policy counts: no interruptions, no used-up usage windows, no missing prerequisites of
   * the machine.
   */
  readonly failures: Failure[];
  readonly refusals: QuotaRefusal[];
  /** Counted since the run was last suspended: the person who resumed it has seen earlier ones. */
  interruptions: number;
  /** The position of the agent that runs next, counted from the first choice. */
  fallback: number;
  /** The conversation in which the last attempt was cut off, if the next one can resume it. */
  session: string | undefined;
  /** The tree of an earlier attempt of which only the answer was unusable; the next attempt starts with it. */
  kept: string | undefined;
  /** Applies to the next attempt of this engine only; another engine knows of no cooldown. */
  ignoreCooldown: boolean;
  /** True if the last engine died before it decided how the refused dispatch continues. */
  readonly stuck: boolean;
};

export function readAttemptHistory(past: PastStep | undefined, suspendedAt: number): AttemptHistory {
  const attempts = past?.attempts ?? [];
  const last = attempts.at(-1);
  const failures = attempts.flatMap(({ finished }) => finished?.failure ?? []);
  return {
    number: attempts.length,
    open: last?.finished ? undefined : last?.started,
    firstAt: attempts[0]?.started.ts,
    failures: failures.filter((failure) => !isQuotaFailure(failure) && !isMissingPrerequisite(failure)),
    refusals: attempts.flatMap(toQuotaRefusal),
    interruptions: attempts.filter((attempt) => isUnplanned(attempt, suspendedAt)).length,
    fallback: past?.retried?.instead ?? 0,
    session: last?.finished?.outcome === "interrupted" ? last.finished.session : undefined,
    kept: attempts.findLast(({ finished }) => finished?.kept !== undefined)?.finished?.kept,
    ignoreCooldown: false,
    stuck: last !== undefined && toQuotaRefusal(last).length > 0 && past?.retried?.attempt !== last.started.attempt + 1,
  };
}

function isUnplanned({ finished }: PastAttempt, since: number): boolean {
  return finished?.outcome === "interrupted" && !finished.orderly && finished.seq > since;
}

function toQuotaRefusal({ started, finished }: PastAttempt): QuotaRefusal[] {
  return finished?.failure && isQuotaFailure(finished.failure) ? [{ finished, fallback: started.instead ?? 0 }] : [];
}

/** Fields about an interruption: the session that can be resumed, and which worker ended it. */
export function toInterruption({ session, orderly, worker }: Extract<AttemptResult, { outcome: "interrupted" }>) {
  return {
    ...(session === undefined ? {} : { session }),
    ...(orderly ? { orderly } : {}),
    ...(worker === undefined ? {} : { worker }),
  };
}
