import { sumMoney } from "../../core/budget/money.ts";
import type { DispatchRow, Money, RunPage } from "./page.ts";

export type CostLine = {
  readonly name: string;
  readonly dispatches: number;
  readonly money: Money;
  readonly input: number;
  readonly output: number;
  /** Attempts that did not report their token counts. */
  readonly silent: number;
};

/** A dispatch that did not report its cost, and the amount assumed for it. */
export type UnreportedCost = {
  readonly who: string;
  readonly phase: string;
  readonly assumedUsd: number;
  readonly why: string;
};

export type CostReport = {
  readonly byRole: readonly CostLine[];
  readonly byPhase: readonly CostLine[];
  readonly byAgent: readonly CostLine[];
  readonly byModel: readonly CostLine[];
  readonly silent: readonly UnreportedCost[];
  readonly total: Money;
};

/** Breaks down the cost of a run by role, phase, agent and model. Each breakdown adds up to the same total. */
export function buildCostReport({ rows }: Pick<RunPage, "rows">): CostReport {
  const dispatches = rows.filter((row): row is DispatchRow => row.kind === "dispatch");
  const by = (of: (row: DispatchRow) => string): readonly CostLine[] =>
    [...Map.groupBy(dispatches, of)]
      .map(([name, some]) => toCostLine(name, some))
      .toSorted((a, b) => b.money.counted - a.money.counted || a.name.localeCompare(b.name));
  return {
    byRole: by(({ role }) => role),
    byPhase: by(({ phase }) => phase),
    byAgent: by((row) => getLastAgent(row).agent),
    byModel: by((row) => getLastAgent(row).model),
    silent: dispatches.flatMap(findUnreportedCost),
    total: sumMoney(dispatches.map(({ cost }) => cost)),
  };
}

function toCostLine(name: string, some: readonly DispatchRow[]): CostLine {
  const sum = (of: (attempt: DispatchRow["attempts"][number]) => number | null): number =>
    some.flatMap(({ attempts }) => attempts).reduce((total, attempt) => total + (of(attempt) ?? 0), 0);
  return {
    name,
    // Counts attempts, like the run's head.
    dispatches: some.reduce((total, { attempts }) => total + attempts.length, 0),
    money: sumMoney(some.map(({ cost }) => cost)),
    input: sum(({ inputTokens }) => inputTokens),
    output: sum(({ outputTokens }) => outputTokens),
    silent: sum(({ inputTokens, outputTokens }) => (inputTokens === null || outputTokens === null ? 1 : 0)),
  };
}

const NOT_REPORTED = "not reported";

/** Returns the agent of the last attempt. A fallback agent takes over the rest of the dispatch. */
function getLastAgent({ attempts }: DispatchRow): { readonly agent: string; readonly model: string } {
  const by = attempts.findLast((attempt) => attempt.by !== null)?.by ?? NOT_REPORTED;
  const at = by.indexOf(":");
  return at < 0 ? { agent: by, model: NOT_REPORTED } : { agent: by.slice(0, at), model: by.slice(at + 1) };
}

function findUnreportedCost({ who, phase, cost, attempts }: DispatchRow): readonly UnreportedCost[] {
  if (cost.unknown === 0) return [];
  const because = attempts.findLast(({ usd, ms, because: why }) => usd === null && ms !== null && why !== "")?.because;
  return [{ who, phase, assumedUsd: cost.assumed, why: because ?? "the agent does not report its cost" }];
}
