import type { Failure } from "../failure/failure.ts";

export type RetryDecision =
  /** `rests`: the dispatch has not failed. The run is suspended until a person resumes it. */
  { readonly again: false; readonly rests?: true } | { readonly again: true; readonly waitMs: number };

/** Must be pure: the same failures give the same decision on every replay. Interruptions are not in the list. */
export type Retry = (failures: readonly Failure[]) => RetryDecision;

const STOP: RetryDecision = { again: false };
const AGAIN: RetryDecision = { again: true, waitMs: 0 };

export const never = (): Retry => () => STOP;

/** Retries once, except after a deterministic failure. */
export const once = (): Retry => upTo(1);

/**
 * Retries up to `max` times with waits of `baseMs · 2^(n−1)`; never after a deterministic failure or a limit.
 * @rule L-25 (policy) A transient failure is retried once, a deterministic failure never.
 */
export function upTo(max: number, options: { readonly baseMs?: number } = {}): Retry {
  const baseMs = options.baseMs ?? 0;
  return (failures) => {
    const last = failures.at(-1);
    if (!last || last.class === "deterministic" || last.class === "limit" || last.class === "canceled") return STOP;
    if (failures.length > max) return STOP;
    return baseMs === 0 ? AGAIN : { again: true, waitMs: baseMs * 2 ** (failures.length - 1) };
  };
}

/**
 * Suspends the run instead of failing the dispatch when transient failures outlast the retries. A crash or a timeout
 * says nothing about the work, so the same dispatch is repeated when a person resumes the run.
 */
export function orRest(retry: Retry): Retry {
  return (failures) => {
    const next = retry(failures);
    return !next.again && failures.at(-1)?.class === "transient" ? { again: false, rests: true } : next;
  };
}
