import type { ReactNode } from "react";
import type { PageHead } from "../../../src/views/page/page.ts";
import { useNow } from "../../data/hooks.ts";
import {
  formatCount,
  formatDollars,
  formatElapsed,
  formatQuantity,
  formatRunningTime,
  formatTimeOfDay,
} from "../../parts/format.ts";
import { BudgetBar, CostSum } from "../../parts/money.tsx";
import { isOver } from "./final-status.ts";

/** The key numbers of a run. Each is displayed only here. */
export function Facts({ head }: { readonly head: PageHead }) {
  const { counts, cost, tokens, forecast } = head;
  return (
    <dl className="facts">
      <Fact name="Started">
        <Started head={head} />
      </Fact>
      <Fact name="Dispatches">{formatDispatches(head)}</Fact>
      <Fact name="Gates">
        {counts.gatesPassed} passed · {counts.gatesMissed} missed
      </Fact>
      {counts.checksNotRun > 0 ? <Fact name="Checks not run">{counts.checksNotRun}</Fact> : null}
      <Fact name={cost.limitUsd === null ? "Cost, no limit" : `Budget ${formatDollars(cost.limitUsd)}`}>
        {cost.limitUsd === null ? null : <BudgetBar money={cost} limit={cost.limitUsd} />}
        {counts.dispatches === 0 ? "no dispatch" : <CostSum money={cost} dispatches={counts.dispatches} />}
      </Fact>
      <Fact name="Tokens">
        {tokens.input + tokens.output === 0 && tokens.unknown > 0
          ? "not reported"
          : `${formatCount(tokens.input)} in · ${formatCount(tokens.output)} out${tokens.unknown > 0 ? ` · ${tokens.unknown} not reported` : ""}`}
      </Fact>
      {forecast ? (
        <Fact name={`Forecast, ${formatQuantity(forecast.runs, "finished run")}`}>
          {formatRange(forecast.dispatches, String)} {forecast.dispatches[1] === 1 ? "dispatch" : "dispatches"} ·{" "}
          {formatRange(forecast.ms, formatElapsed)}
        </Fact>
      ) : null}
    </dl>
  );
}

function formatDispatches({ counts, state }: PageHead): string {
  const { dispatches, retried, interrupted, atWork } = counts;
  return [
    String(dispatches),
    ...(retried > 0 ? [`${retried} retried`] : []),
    ...(interrupted > 0 ? [`${interrupted} interrupted`] : []),
    // Agents without an engine are neither running nor ended.
    ...(atWork > 0 ? [`${atWork} ${state === "stale" ? "interrupted" : "running"}`] : []),
  ].join(" · ");
}

function Started({ head }: { readonly head: PageHead }) {
  const over = isOver(head);
  const now = useNow(!over);
  const took = over
    ? `took ${formatElapsed(head.lastAt - head.startedAt)}`
    : `${formatRunningTime(now - head.startedAt)} ago`;
  return `${formatTimeOfDay(head.startedAt, now)} · ${took}`;
}

const formatRange = ([low, high]: readonly [number, number], format: (value: number) => string): string =>
  format(low) === format(high) ? format(low) : `${format(low)}–${format(high)}`;

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
