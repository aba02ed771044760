import { type Limit, type LimitHit, type Limits, limitHit, type Spent } from "./budget.ts";
import type { Usage } from "./effect.ts";
import type { JournalRecord } from "./record.ts";

/** Who spends: limits can be set for a heading and for a role too. */
export type Spender = { readonly phase: string; readonly role: string };
type Counted = { readonly [K in keyof Usage]?: Usage[K] | undefined };
export type Cost = { readonly usage?: Counted | undefined; readonly ms?: number | undefined };

/** What a run has spent. Each dispatch is reserved before it begins and settled when it has ended. */
export type Account = {
  reserve(effect: string, spender: Spender): void;
  settle(effect: string, cost: Cost): void;
  /** Dispatches under way: they may turn out cheaper than what is reserved for them. */
  open(): number;
  /** Undefined when one more dispatch is within every limit. `timeMs`: how long the run has worked. */
  hit(limits: Limits, spender: Spender, timeMs: number): LimitHit | undefined;
};

/** What an attempt that does not say is taken to have cost, as long as nobody in the run has said: never nothing. */
export const ASSUMED = { usd: 0.25, tokens: 50_000 } as const;

type Coin = keyof typeof ASSUMED;
type Entry = Spender & {
  ended: boolean;
  ms: number;
  /** Undefined: not known, or not yet. */
  readonly cost: { usd?: number | undefined; tokens?: number | undefined };
};

export function accountOf(records: readonly JournalRecord[]): Account {
  const entries = new Map<string, Entry>();
  const account = accountIn(entries);
  const phases = new Map<string, string>();
  const effects = new Map<string, string>();
  for (const record of records) {
    if (record.type === "step.started") phases.set(record.key, record.phase);
    if (record.type === "agent.started") {
      effects.set(`${record.key}@${record.attempt}`, record.effect);
      account.reserve(record.effect, { phase: phases.get(record.key) ?? "", role: record.role });
    }
    if (record.type === "agent.finished") {
      account.settle(effects.get(`${record.key}@${record.attempt}`) ?? "", { usage: record.usage, ms: record.ms });
    }
  }
  return account;
}

function accountIn(entries: Map<string, Entry>): Account {
  return {
    reserve: (effect, spender) => {
      if (!entries.has(effect)) entries.set(effect, { ...spender, ended: false, ms: 0, cost: {} });
    },
    settle(effect, { usage, ms = 0 }) {
      const entry = entries.get(effect);
      if (!entry) return;
      entry.ended = true;
      entry.ms = ms;
      entry.cost.usd = usage?.usd;
      entry.cost.tokens = tokensOf(usage);
    },
    open: () => [...entries.values()].filter((entry) => !entry.ended).length,
    hit(limits, spender, timeMs) {
      const all = [...entries.values()];
      const { phase, role } = spender;
      const within = (limit: Limit | undefined, some: readonly Entry[], of: string) =>
        limit && limitHit(limit, sumOf(all, some, { role }), of);
      return (
        limitHit(limits, { ...sumOf(all, all, { role }), timeMs }) ??
        within(
          limits.phases?.[phase],
          all.filter((entry) => entry.phase === phase),
          `the phase "${phase}"`,
        ) ??
        within(
          limits.roles?.[role],
          all.filter((entry) => entry.role === role),
          `the role ${role}`,
        )
      );
    },
  };
}

function sumOf(all: readonly Entry[], some: readonly Entry[], next: { readonly role: string }): Spent {
  const sum = (of: (entry: Entry) => number) => some.reduce((total, entry) => total + of(entry), 0);
  const guess = (coin: Coin) => (entry: Entry) => entry.cost[coin] ?? guessOf(all, entry.role, coin) ?? ASSUMED[coin];
  const guessed = (coin: Coin) => sum((entry) => (entry.cost[coin] === undefined ? guess(coin)(entry) : 0));
  return {
    dispatches: some.length,
    timeMs: sum((entry) => entry.ms),
    usd: sum(guess("usd")),
    tokens: sum(guess("tokens")),
    guessed: { usd: guessed("usd"), tokens: guessed("tokens") },
    next: { usd: guessOf(all, next.role, "usd") ?? 0, tokens: guessOf(all, next.role, "tokens") ?? 0 },
  };
}

/** The dearest that the role has had so far, or anybody: a guess that errs on the careful side. */
function guessOf(all: readonly Entry[], role: string, coin: Coin): number | undefined {
  const known = all.filter((entry) => entry.cost[coin] !== undefined);
  const own = known.filter((entry) => entry.role === role);
  const costs = (own.length > 0 ? own : known).map((entry) => entry.cost[coin] ?? 0);
  return costs.length > 0 ? Math.max(...costs) : undefined;
}

/** Half a count is none: an agent that reports what it wrote has also read something. */
function tokensOf(usage: Counted | undefined): number | undefined {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  return usage.inputTokens + usage.outputTokens;
}
