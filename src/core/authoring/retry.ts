import type { Failure } from "../failure/failure.ts";

export type RetryDecision =
  /** `rests`: the dispatch has not failed; the run waits for a person, who resumes it. */
  { readonly again: false; readonly rests?: true } | { readonly again: true; readonly waitMs: number };

/** Pure: the same failures give the same decision on every replay. Interruptions are not in the list. */
export type Retry = (failures: readonly Failure[]) => RetryDecision;

const STOP: RetryDecision = { again: false };
const AGAIN: RetryDecision = { again: true, waitMs: 0 };

export const never = (): Retry => () => STOP;

/** One more try, except after a deterministic failure. */
export const once = (): Retry => upTo(1);

/**
 * Up to `max` more tries with waits `baseMs · 2^(n−1)`; never after a deterministic failure or a limit.
 * @rule L-25 (policy) A passing fault is tried once more, a deterministic one never.
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
 * The same, but a passing fault that is left over, a crash or a refusal for want of time, fails nothing: it says nothing
 * about the work, so the run rests and the same dispatch is made again when a person resumes it.
 */
export function orRest(retry: Retry): Retry {
  return (failures) => {
    const next = retry(failures);
    return !next.again && failures.at(-1)?.class === "transient" ? { again: false, rests: true } : next;
  };
}
