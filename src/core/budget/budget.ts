import { z } from "zod";

const Limit = z.object({
  dispatches: z.number().int().positive().optional(),
  /** Of a run: time in which an engine worked on it. Of a phase or role: time of its agents, added up. */
  timeMs: z.number().int().positive().optional(),
  usd: z.number().positive().optional(),
  /** Read and written, together. */
  tokens: z.number().int().positive().optional(),
});
export type Limit = z.infer<typeof Limit>;

/** What a run may spend. A limit suspends the run, it never ends it: `resume` with a higher one goes on. */
export const Limits = Limit.extend({
  /** By heading. */
  phases: z.record(z.string(), Limit).optional(),
  /** By role. */
  roles: z.record(z.string(), Limit).optional(),
});
export type Limits = z.infer<typeof Limits>;

export type Spent = {
  readonly dispatches: number;
  readonly timeMs: number;
  readonly usd: number;
  readonly tokens: number;
  /** How much of it is reserved for what is under way, or assumed for attempts that did not say. */
  readonly guessed: { readonly usd: number; readonly tokens: number };
  /** What the next dispatch will probably cost. */
  readonly next: { readonly usd: number; readonly tokens: number };
};

export type LimitHit = { readonly status: "budget" | "time"; readonly reason: string };

/** Asked before each dispatch. `of` names what is limited when it is not the whole run. */
export function limitHit(limit: Limit, spent: Spent, of = "this run"): LimitHit | undefined {
  const { dispatches, timeMs, usd, tokens } = limit;
  if (dispatches !== undefined && spent.dispatches >= dispatches) {
    return {
      status: "budget",
      reason: dispatches === 1 ? `the one dispatch of ${of} is used` : `all ${dispatches} dispatches of ${of} are used`,
    };
  }
  if (usd !== undefined && exceeds(usd, spent, "usd")) {
    return { status: "budget", reason: spentOf(of, spent, "usd", usd, (n) => `$${n.toFixed(2)}`) };
  }
  if (tokens !== undefined && exceeds(tokens, spent, "tokens")) {
    return { status: "budget", reason: spentOf(of, spent, "tokens", tokens, (n) => `${Math.ceil(n)} tokens`) };
  }
  if (timeMs !== undefined && spent.timeMs >= timeMs) {
    const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
    return { status: "time", reason: `${of} has worked ${seconds(spent.timeMs)} of ${seconds(timeMs)}` };
  }
  return undefined;
}

type BudgetUnit = "usd" | "tokens";

/** The first dispatch is always let through: what it costs cannot be known before. */
function exceeds(limit: number, spent: Spent, unit: BudgetUnit): boolean {
  return spent[unit] >= limit || (spent[unit] > 0 && spent[unit] + spent.next[unit] > limit);
}

function spentOf(of: string, spent: Spent, unit: BudgetUnit, limit: number, shown: (amount: number) => string): string {
  const guessed = spent.guessed[unit] > 0 ? `, ${shown(spent.guessed[unit])} of it assumed` : "";
  const next = spent[unit] < limit ? `; the next dispatch costs about ${shown(spent.next[unit])}` : "";
  return `${of} has spent ${shown(spent[unit])} of ${shown(limit)}${guessed}${next}`;
}
