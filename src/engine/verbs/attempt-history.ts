import { isUsedUp } from "../../core/budget/quota.ts";
import { type Failure, isLacking } from "../../core/failure/failure.ts";
import type { AttemptResult } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { PastAttempt, PastStep } from "../replay/history.ts";
import type { QuotaRefusal } from "./quota.ts";

/** What has become of a dispatch so far. */
export type AttemptHistory = {
  /** Attempts begun. */
  number: number;
  /** Begun by an engine that is gone, and not ended. */
  open: JournalRecord<"agent.started"> | undefined;
  firstAt: number | undefined;
  /** What the policy of retries counts: neither interruptions, used-up usage windows nor what the machine lacked. */
  readonly failures: Failure[];
  readonly refusals: QuotaRefusal[];
  /** Since the run last rested: whoever took it up then has seen those before. */
  interruptions: number;
  /** Who plays next, counted from the first choice. */
  fallback: number;
  /** The conversation that the last attempt was cut off in, where the next can go on with it. */
  session: string | undefined;
  /** The work of an attempt whose answer alone could not be used, as a tree: the next one begins with it. */
  kept: string | undefined;
  /** Only for the next attempt of this engine: another one knows of no window yet. */
  ignoreCooldown: boolean;
  /** The last engine died before it was settled how the refused dispatch goes on. */
  readonly stuck: boolean;
};

export function attemptHistory(past: PastStep | undefined, suspendedAt: number): AttemptHistory {
  const attempts = past?.attempts ?? [];
  const last = attempts.at(-1);
  const failures = attempts.flatMap(({ finished }) => finished?.failure ?? []);
  return {
    number: attempts.length,
    open: last?.finished ? undefined : last?.started,
    firstAt: attempts[0]?.started.ts,
    failures: failures.filter((failure) => !isUsedUp(failure) && !isLacking(failure)),
    refusals: attempts.flatMap(refusalOf),
    interruptions: attempts.filter((attempt) => isCut(attempt, suspendedAt)).length,
    fallback: past?.retried?.instead ?? 0,
    session: last?.finished?.outcome === "interrupted" ? last.finished.session : undefined,
    kept: attempts.findLast(({ finished }) => finished?.kept !== undefined)?.finished?.kept,
    ignoreCooldown: false,
    stuck: last !== undefined && refusalOf(last).length > 0 && past?.retried?.attempt !== last.started.attempt + 1,
  };
}

function isCut({ finished }: PastAttempt, since: number): boolean {
  return finished?.outcome === "interrupted" && !finished.orderly && finished.seq > since;
}

function refusalOf({ started, finished }: PastAttempt): QuotaRefusal[] {
  return finished?.failure && isUsedUp(finished.failure) ? [{ finished, fallback: started.instead ?? 0 }] : [];
}

/** Where it can go on, and whose end it was. */
export function cutOf({ session, orderly, worker }: Extract<AttemptResult, { outcome: "interrupted" }>) {
  return {
    ...(session === undefined ? {} : { session }),
    ...(orderly ? { orderly } : {}),
    ...(worker === undefined ? {} : { worker }),
  };
}
