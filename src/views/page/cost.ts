import { sumOfMoney } from "../../core/budget/money.ts";
import type { DispatchRow, Money, RunPage } from "./page.ts";

export type CostLine = {
  readonly name: string;
  readonly dispatches: number;
  readonly money: Money;
  readonly input: number;
  readonly output: number;
  /** Of the dispatches: those that did not say their tokens. */
  readonly silent: number;
};

/** A dispatch that has not said what it cost, and what is counted for it. */
export type Silent = {
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
  readonly silent: readonly Silent[];
  readonly total: Money;
};

/** What a run cost, sorted in four ways; each way adds up to the same. */
export function costOf({ rows }: Pick<RunPage, "rows">): CostReport {
  const dispatches = rows.filter((row): row is DispatchRow => row.kind === "dispatch");
  const by = (of: (row: DispatchRow) => string): readonly CostLine[] =>
    [...Map.groupBy(dispatches, of)]
      .map(([name, some]) => lineOf(name, some))
      .toSorted((a, b) => b.money.counted - a.money.counted || a.name.localeCompare(b.name));
  return {
    byRole: by(({ role }) => role),
    byPhase: by(({ phase }) => phase),
    byAgent: by((row) => player(row).agent),
    byModel: by((row) => player(row).model),
    silent: dispatches.flatMap(silentIn),
    total: sumOfMoney(dispatches.map(({ cost }) => cost)),
  };
}

function lineOf(name: string, some: readonly DispatchRow[]): CostLine {
  const sum = (of: (attempt: DispatchRow["attempts"][number]) => number | null): number =>
    some.flatMap(({ attempts }) => attempts).reduce((total, attempt) => total + (of(attempt) ?? 0), 0);
  return {
    name,
    // Each time somebody was sent out, as the run's head counts them.
    dispatches: some.reduce((total, { attempts }) => total + attempts.length, 0),
    money: sumOfMoney(some.map(({ cost }) => cost)),
    input: sum(({ inputTokens }) => inputTokens),
    output: sum(({ outputTokens }) => outputTokens),
    silent: sum(({ inputTokens, outputTokens }) => (inputTokens === null || outputTokens === null ? 1 : 0)),
  };
}

const NOT_SAID = "not said";

/** Who played last: one who steps in for another takes over the rest of the dispatch. */
function player({ attempts }: DispatchRow): { readonly agent: string; readonly model: string } {
  const by = attempts.findLast((attempt) => attempt.by !== null)?.by ?? NOT_SAID;
  const at = by.indexOf(":");
  return at < 0 ? { agent: by, model: NOT_SAID } : { agent: by.slice(0, at), model: by.slice(at + 1) };
}

function silentIn({ who, phase, cost, attempts }: DispatchRow): readonly Silent[] {
  if (cost.unknown === 0) return [];
  const because = attempts.findLast(({ usd, ms, because: why }) => usd === null && ms !== null && why !== "")?.because;
  return [{ who, phase, assumedUsd: cost.assumed, why: because ?? "its agent does not say what it costs" }];
}
