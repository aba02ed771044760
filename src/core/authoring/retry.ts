import type { Failure } from "./failure.ts";

export type RetryDecision = { readonly again: false } | { readonly again: true; readonly waitMs: number };

/** Pure: the same failures give the same decision on every replay. Interruptions are not in the list. */
export type Retry = (failures: readonly Failure[]) => RetryDecision;

const STOP: RetryDecision = { again: false };
const AGAIN: RetryDecision = { again: true, waitMs: 0 };

export const never = (): Retry => () => STOP;

/** One more try, except after a deterministic failure. */
export const once = (): Retry => upTo(1);

/** Up to `max` more tries with waits `baseMs · 2^(n−1)`; never after a deterministic failure or a limit. */
export function upTo(max: number, options: { readonly baseMs?: number } = {}): Retry {
  const baseMs = options.baseMs ?? 0;
  return (failures) => {
    const last = failures.at(-1);
    if (!last || last.class === "deterministic" || last.class === "limit" || last.class === "canceled") return STOP;
    if (failures.length > max) return STOP;
    return baseMs === 0 ? AGAIN : { again: true, waitMs: baseMs * 2 ** (failures.length - 1) };
  };
}
