import type { Usage } from "../journal/effect.ts";
import type { JournalRecord } from "../journal/record.ts";
import { checkLimit, type Limit, type LimitHit, type Limits, type Spent } from "./budget.ts";
import { type Money, sumMoney } from "./money.ts";

/** Phase and role of a dispatch. Each can have a limit of its own. */
export type BudgetOwner = { readonly phase: string; readonly role: string };
type PartialUsage = { readonly [K in keyof Usage]?: Usage[K] | undefined };
export type Cost = { readonly usage?: PartialUsage | undefined; readonly ms?: number | undefined };

/** Costs of a run. Each dispatch is reserved before it starts and settled when it has ended. */
export type Account = {
  reserve(effect: string, spender: BudgetOwner): void;
  settle(effect: string, cost: Cost): void;
  /** Number of running dispatches. They may cost less than what is reserved for them. */
  open(): number;
  /** Returns undefined if one more dispatch is within every limit. `timeMs`: how long the run has worked. */
  hit(limits: Limits, spender: BudgetOwner, timeMs: number): LimitHit | undefined;
  /** Costs of the run in dollars, by the same rule. */
  money(): Money;
  /** Costs of one attempt. */
  computeAttemptMoney(effect: string): Money;
  /** Assumed cost in dollars of an attempt of this role that has not reported yet. */
  guess(role: string): number;
};

/** Account that is built from a journal, record by record. */
export type JournalAccount = { readonly account: Account; take(record: JournalRecord): void };

/** Assumed costs of an attempt that reports none, until one attempt of the run has reported. Never zero. */
export const ASSUMED = { usd: 0.25, tokens: 50_000 } as const;

type BudgetUnit = keyof typeof ASSUMED;
type KnownCost = { readonly usd?: number | undefined; readonly tokens?: number | undefined };
type AccountEntry = BudgetOwner & {
  ended: boolean;
  ms: number;
  /** Undefined: unknown, or not reported yet. */
  cost: KnownCost;
};

/**
 * Sums over the dispatches of one role in one phase. A run with thousands of dispatches checks its limits before each
 * of them.
 */
type SpendGroup = BudgetOwner & {
  dispatches: number;
  ms: number;
  /** Sum of the reported costs. */
  readonly sum: Record<BudgetUnit, number>;
  /** Number of attempts without reported costs, including running ones. */
  readonly silent: Record<BudgetUnit, number>;
  /** Number of running attempts. */
  open: number;
};

export function buildAccount(records: readonly JournalRecord[]): Account {
  const { account, take } = createJournalAccount();
  for (const record of records) take(record);
  return account;
}

export function createJournalAccount(): JournalAccount {
  const account = createAccount();
  const phases = new Map<string, string>();
  const effects = new Map<string, string>();
  return {
    account,
    take(record) {
      if (record.type === "step.started") phases.set(record.key, record.phase);
      if (record.type === "step.finished") phases.delete(record.key);
      if (record.type === "agent.started") {
        effects.set(`${record.key}@${record.attempt}`, record.effect);
        account.reserve(record.effect, { phase: phases.get(record.key) ?? "", role: record.role });
      }
      if (record.type === "agent.finished") {
        const place = `${record.key}@${record.attempt}`;
        account.settle(effects.get(place) ?? "", { usage: record.usage, ms: record.ms });
        effects.delete(place);
      }
    },
  };
}

function createAccount(): Account {
  const entries = new Map<string, AccountEntry>();
  const groups = new Map<string, SpendGroup>();
  const dearest = createHighestCosts();
  let open = 0;
  return {
    reserve: (effect, spender) => {
      if (entries.has(effect)) return;
      const entry = { ...spender, ended: false, ms: 0, cost: {} };
      entries.set(effect, entry);
      open += 1;
      add(ensureGroup(groups, entry), entry, 1);
    },
    settle(effect, { usage, ms = 0 }) {
      const entry = entries.get(effect);
      if (!entry) return;
      if (!entry.ended) open -= 1;
      add(ensureGroup(groups, entry), entry, -1);
      Object.assign(entry, { ended: true, ms, cost: { usd: usage?.usd, tokens: sumTokens(usage) } });
      add(ensureGroup(groups, entry), entry, 1);
      dearest.saw(entry);
    },
    open: () => open,
    hit(limits, spender, timeMs) {
      const all = [...groups.values()];
      const { phase, role } = spender;
      const sumGroups = (some: readonly SpendGroup[]) => sumSpent(some, dearest, role);
      const checkGroupLimit = (limit: Limit | undefined, own: (group: SpendGroup) => boolean, of: string) =>
        limit && checkLimit(limit, sumGroups(all.filter(own)), of);
      return (
        checkLimit(limits, { ...sumGroups(all), timeMs }) ??
        checkGroupLimit(limits.phases?.[phase], (group) => group.phase === phase, `the phase "${phase}"`) ??
        checkGroupLimit(limits.roles?.[role], (group) => group.role === role, `the role ${role}`)
      );
    },
    money: () => sumMoney([...groups.values()].map((group) => computeMoney(group, dearest))),
    computeAttemptMoney(effect) {
      const entry = entries.get(effect);
      if (!entry) return sumMoney([]);
      const alone = emptyGroup(entry);
      add(alone, entry, 1);
      return computeMoney(alone, dearest);
    },
    guess: (role) => guessCost(dearest, role, "usd"),
  };
}

function ensureGroup(groups: Map<string, SpendGroup>, { phase, role }: BudgetOwner): SpendGroup {
  const name = JSON.stringify([phase, role]);
  const group = groups.get(name) ?? emptyGroup({ phase, role });
  groups.set(name, group);
  return group;
}

function emptyGroup({ phase, role }: BudgetOwner): SpendGroup {
  return { phase, role, dispatches: 0, ms: 0, sum: { usd: 0, tokens: 0 }, silent: { usd: 0, tokens: 0 }, open: 0 };
}

function add(group: SpendGroup, { ms, cost, ended }: AccountEntry, sign: 1 | -1): void {
  group.dispatches += sign;
  if (!ended) group.open += sign;
  group.ms += sign * ms;
  for (const coin of COINS) {
    if (cost[coin] === undefined) group.silent[coin] += sign;
    else group.sum[coin] += sign * cost[coin];
  }
}

const COINS = ["usd", "tokens"] as const;

/** Highest costs so far, per role and in total. A conservative estimate for attempts that report none. */
type HighestCosts = { saw(entry: AccountEntry): void; of(role: string, unit: BudgetUnit): number | undefined };

function createHighestCosts(): HighestCosts {
  const roles = { usd: new Map<string, number>(), tokens: new Map<string, number>() };
  const anybody: { [K in BudgetUnit]?: number } = {};
  return {
    saw({ role, cost }) {
      for (const coin of COINS) {
        const said = cost[coin];
        if (said === undefined) continue;
        roles[coin].set(role, Math.max(said, roles[coin].get(role) ?? said));
        anybody[coin] = Math.max(said, anybody[coin] ?? said);
      }
    },
    of: (role, coin) => roles[coin].get(role) ?? anybody[coin],
  };
}

const guessCost = (dearest: HighestCosts, role: string, unit: BudgetUnit): number =>
  dearest.of(role, unit) ?? ASSUMED[unit];

function computeMoney({ role, sum, silent, open }: SpendGroup, dearest: HighestCosts): Money {
  const guess = guessCost(dearest, role, "usd");
  const [known, unknown] = [sum.usd, silent.usd - open];
  const [assumed, reserved] = [unknown * guess, open * guess];
  return { known, assumed, reserved, counted: known + assumed + reserved, unknown, open };
}

function sumSpent(groups: readonly SpendGroup[], dearest: HighestCosts, next: string): Spent {
  const sum = (of: (group: SpendGroup) => number) => groups.reduce((total, group) => total + of(group), 0);
  const { counted, assumed, reserved } = sumMoney(groups.map((group) => computeMoney(group, dearest)));
  const tokens = sum(({ role, silent }) => silent.tokens * guessCost(dearest, role, "tokens"));
  return {
    dispatches: sum((group) => group.dispatches),
    timeMs: sum((group) => group.ms),
    usd: counted,
    tokens: sum((group) => group.sum.tokens) + tokens,
    guessed: { usd: assumed + reserved, tokens },
    next: { usd: dearest.of(next, "usd") ?? 0, tokens: dearest.of(next, "tokens") ?? 0 },
  };
}

/** Requires both counts, because an agent that reports only its output has also read input. */
function sumTokens(usage: PartialUsage | undefined): number | undefined {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  return usage.inputTokens + usage.outputTokens;
}
