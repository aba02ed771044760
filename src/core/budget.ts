import { z } from "zod";

/** What a run may spend. A limit suspends the run, it never ends it: `resume` with a higher one goes on. */
export const Limits = z.object({
  dispatches: z.number().int().positive().optional(),
  timeMs: z.number().int().positive().optional(),
  usd: z.number().positive().optional(),
});
export type Limits = z.infer<typeof Limits>;

export type Spent = {
  readonly dispatches: number;
  readonly timeMs: number;
  readonly usd: number;
  readonly usdUnknown: number;
};

export type LimitHit = { readonly status: "budget" | "time"; readonly reason: string };

/** Asked before each dispatch, with what all earlier ones have spent. */
export function limitHit(limits: Limits, spent: Spent): LimitHit | undefined {
  if (limits.dispatches !== undefined && spent.dispatches >= limits.dispatches) {
    return { status: "budget", reason: `all ${limits.dispatches} dispatches of this run are used` };
  }
  if (limits.usd !== undefined && spent.usd >= limits.usd) {
    return { status: "budget", reason: `${spent.usd.toFixed(2)} of ${limits.usd.toFixed(2)} USD are spent` };
  }
  if (limits.timeMs !== undefined && spent.timeMs >= limits.timeMs) {
    return {
      status: "time",
      reason: `the run has worked ${Math.round(spent.timeMs / 1000)} s of ${Math.round(limits.timeMs / 1000)} s`,
    };
  }
  return undefined;
}
