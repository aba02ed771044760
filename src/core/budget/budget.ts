import { z } from "zod";

const Limit = z.object({
  dispatches: z.number().int().positive().optional(),
  /** Run: time in which an engine worked on it. Phase or role: total time of its agents. */
  timeMs: z.number().int().positive().optional(),
  usd: z.number().positive().optional(),
  /** Input and output tokens together. */
  tokens: z.number().int().positive().optional(),
});
export type Limit = z.infer<typeof Limit>;

/** Spending limits of a run. A limit suspends the run and never ends it; `resume` with a higher limit continues. */
export const Limits = Limit.extend({
  /** Limits by phase title. */
  phases: z.record(z.string(), Limit).optional(),
  /** Limits by role. */
  roles: z.record(z.string(), Limit).optional(),
});
export type Limits = z.infer<typeof Limits>;

export type Spent = {
  readonly dispatches: number;
  readonly timeMs: number;
  readonly usd: number;
  readonly tokens: number;
  /** Part that is reserved for running attempts, or assumed for attempts that reported nothing. */
  readonly guessed: { readonly usd: number; readonly tokens: number };
  /** Expected cost of the next dispatch. */
  readonly next: { readonly usd: number; readonly tokens: number };
};

export type LimitHit = { readonly status: "budget" | "time"; readonly reason: string };

/** Checks one limit before a dispatch. `of` names what is limited if it is not the whole run. */
export function checkLimit(limit: Limit, spent: Spent, of = "this run"): LimitHit | undefined {
  const { dispatches, timeMs, usd, tokens } = limit;
  if (dispatches !== undefined && spent.dispatches >= dispatches) {
    return {
      status: "budget",
      reason:
        dispatches === 1 ? `the only dispatch of ${of} is used` : `all ${dispatches} dispatches of ${of} are used`,
    };
  }
  if (usd !== undefined && isExceeded(usd, spent, "usd")) {
    return { status: "budget", reason: formatSpent(of, spent, "usd", usd, (n) => `$${n.toFixed(2)}`) };
  }
  if (tokens !== undefined && isExceeded(tokens, spent, "tokens")) {
    return { status: "budget", reason: formatSpent(of, spent, "tokens", tokens, (n) => `${Math.ceil(n)} tokens`) };
  }
  if (timeMs !== undefined && spent.timeMs >= timeMs) {
    const formatSeconds = (ms: number) => `${Math.round(ms / 1000)} s`;
    return { status: "time", reason: `${of} has worked ${formatSeconds(spent.timeMs)} of ${formatSeconds(timeMs)}` };
  }
  return undefined;
}

type BudgetUnit = "usd" | "tokens";

/** Always allows the first dispatch, because its cost cannot be estimated. */
function isExceeded(limit: number, spent: Spent, unit: BudgetUnit): boolean {
  return spent[unit] >= limit || (spent[unit] > 0 && spent[unit] + spent.next[unit] > limit);
}

function formatSpent(
  of: string,
  spent: Spent,
  unit: BudgetUnit,
  limit: number,
  shown: (amount: number) => string,
): string {
  const guessed = spent.guessed[unit] > 0 ? `, ${shown(spent.guessed[unit])} of it assumed` : "";
  const next = spent[unit] < limit ? `; the next dispatch costs about ${shown(spent.next[unit])}` : "";
  return `${of} has spent ${shown(spent[unit])} of ${shown(limit)}${guessed}${next}`;
}
