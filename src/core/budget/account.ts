import type { Usage } from "../journal/effect.ts";
import type { JournalRecord } from "../journal/record.ts";
import { type Limit, type LimitHit, type Limits, limitHit, type Spent } from "./budget.ts";
import { type Money, sumOfMoney } from "./money.ts";

/** Who spends: limits can be set for a heading and for a role too. */
export type Spender = { readonly phase: string; readonly role: string };
type PartialUsage = { readonly [K in keyof Usage]?: Usage[K] | undefined };
export type Cost = { readonly usage?: PartialUsage | undefined; readonly ms?: number | undefined };

/** What a run has spent. Each dispatch is reserved before it begins and settled when it has ended. */
export type Account = {
  reserve(effect: string, spender: Spender): void;
  settle(effect: string, cost: Cost): void;
  /** Dispatches under way: they may turn out cheaper than what is reserved for them. */
  open(): number;
  /** Undefined when one more dispatch is within every limit. `timeMs`: how long the run has worked. */
  hit(limits: Limits, spender: Spender, timeMs: number): LimitHit | undefined;
  /** What the run has cost in dollars, by the same rule. */
  money(): Money;
  /** Of one attempt. */
  moneyOf(effect: string): Money;
  /** What an attempt of this role is taken to cost in dollars while it has not said. */
  guess(role: string): number;
};

/** An account that is kept from a journal, record by record. */
export type JournalAccount = { readonly account: Account; take(record: JournalRecord): void };

/** What an attempt that does not say is taken to have cost, as long as nobody in the run has said: never nothing. */
export const ASSUMED = { usd: 0.25, tokens: 50_000 } as const;

type BudgetUnit = keyof typeof ASSUMED;
type Amounts = { readonly usd?: number | undefined; readonly tokens?: number | undefined };
type Entry = Spender & {
  ended: boolean;
  ms: number;
  /** Undefined: not known, or not yet. */
  cost: Amounts;
};

/** One role's dispatches under one heading, added up: a run of many thousands is asked about before each of them. */
type Group = Spender & {
  dispatches: number;
  ms: number;
  /** What is known. */
  readonly sum: Record<BudgetUnit, number>;
  /** How many have not said, those at work among them. */
  readonly silent: Record<BudgetUnit, number>;
  /** How many are at work. */
  open: number;
};

export function accountOf(records: readonly JournalRecord[]): Account {
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
  const entries = new Map<string, Entry>();
  const groups = new Map<string, Group>();
  const dearest = createHighestCosts();
  let open = 0;
  return {
    reserve: (effect, spender) => {
      if (entries.has(effect)) return;
      const entry = { ...spender, ended: false, ms: 0, cost: {} };
      entries.set(effect, entry);
      open += 1;
      add(groupOf(groups, entry), entry, 1);
    },
    settle(effect, { usage, ms = 0 }) {
      const entry = entries.get(effect);
      if (!entry) return;
      if (!entry.ended) open -= 1;
      add(groupOf(groups, entry), entry, -1);
      Object.assign(entry, { ended: true, ms, cost: { usd: usage?.usd, tokens: tokensOf(usage) } });
      add(groupOf(groups, entry), entry, 1);
      dearest.saw(entry);
    },
    open: () => open,
    hit(limits, spender, timeMs) {
      const all = [...groups.values()];
      const { phase, role } = spender;
      const spentBy = (some: readonly Group[]) => sumOf(some, dearest, role);
      const within = (limit: Limit | undefined, own: (group: Group) => boolean, of: string) =>
        limit && limitHit(limit, spentBy(all.filter(own)), of);
      return (
        limitHit(limits, { ...spentBy(all), timeMs }) ??
        within(limits.phases?.[phase], (group) => group.phase === phase, `the phase "${phase}"`) ??
        within(limits.roles?.[role], (group) => group.role === role, `the role ${role}`)
      );
    },
    money: () => sumOfMoney([...groups.values()].map((group) => moneyIn(group, dearest))),
    moneyOf(effect) {
      const entry = entries.get(effect);
      if (!entry) return sumOfMoney([]);
      const alone = emptyGroup(entry);
      add(alone, entry, 1);
      return moneyIn(alone, dearest);
    },
    guess: (role) => guessOf(dearest, role, "usd"),
  };
}

function groupOf(groups: Map<string, Group>, { phase, role }: Spender): Group {
  const name = JSON.stringify([phase, role]);
  const group = groups.get(name) ?? emptyGroup({ phase, role });
  groups.set(name, group);
  return group;
}

function emptyGroup({ phase, role }: Spender): Group {
  return { phase, role, dispatches: 0, ms: 0, sum: { usd: 0, tokens: 0 }, silent: { usd: 0, tokens: 0 }, open: 0 };
}

function add(group: Group, { ms, cost, ended }: Entry, sign: 1 | -1): void {
  group.dispatches += sign;
  if (!ended) group.open += sign;
  group.ms += sign * ms;
  for (const coin of COINS) {
    if (cost[coin] === undefined) group.silent[coin] += sign;
    else group.sum[coin] += sign * cost[coin];
  }
}

const COINS = ["usd", "tokens"] as const;

/** The dearest that each role has had so far, and anybody: a guess that errs on the careful side. */
type HighestCosts = { saw(entry: Entry): void; of(role: string, unit: BudgetUnit): number | undefined };

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

const guessOf = (dearest: HighestCosts, role: string, unit: BudgetUnit): number =>
  dearest.of(role, unit) ?? ASSUMED[unit];

function moneyIn({ role, sum, silent, open }: Group, dearest: HighestCosts): Money {
  const guess = guessOf(dearest, role, "usd");
  const [known, unknown] = [sum.usd, silent.usd - open];
  const [assumed, reserved] = [unknown * guess, open * guess];
  return { known, assumed, reserved, counted: known + assumed + reserved, unknown, open };
}

function sumOf(groups: readonly Group[], dearest: HighestCosts, next: string): Spent {
  const sum = (of: (group: Group) => number) => groups.reduce((total, group) => total + of(group), 0);
  const { counted, assumed, reserved } = sumOfMoney(groups.map((group) => moneyIn(group, dearest)));
  const tokens = sum(({ role, silent }) => silent.tokens * guessOf(dearest, role, "tokens"));
  return {
    dispatches: sum((group) => group.dispatches),
    timeMs: sum((group) => group.ms),
    usd: counted,
    tokens: sum((group) => group.sum.tokens) + tokens,
    guessed: { usd: assumed + reserved, tokens },
    next: { usd: dearest.of(next, "usd") ?? 0, tokens: dearest.of(next, "tokens") ?? 0 },
  };
}

/** Half a count is none: an agent that reports what it wrote has also read something. */
function tokensOf(usage: PartialUsage | undefined): number | undefined {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  return usage.inputTokens + usage.outputTokens;
}
