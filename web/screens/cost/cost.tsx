import { useMemo } from "react";
import { buildCostReport, type CostReport } from "../../../src/views/page/cost.ts";
import type { Money, RunPage } from "../../../src/views/page/page.ts";
import { useRun } from "../../data/hooks.ts";
import { Columns } from "../../parts/columns.tsx";
import { formatCount, formatDollars, formatQuantity } from "../../parts/format.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { AssumedAmount } from "../../parts/money.tsx";
import { Crumb } from "../run/head.tsx";
import { RunTabs } from "../run/tabs.tsx";
import { CostTable } from "./cost-table.tsx";

export function CostScreen({ run }: { readonly run: string }) {
  const { value: page, error } = useRun(run);
  if (!page) return error ? <Failure error={error} /> : <Skeleton what={`the cost of ${run}`} />;
  return <CostView page={page} />;
}

/** Computes the same totals as the commands, also in a report. */
export function CostView({ page }: { readonly page: RunPage }) {
  const { byPhase, byRole, byAgent, byModel, silent, total } = useMemo(() => buildCostReport(page), [page]);
  return (
    <>
      <header className="run-head">
        <div>
          <Crumb page={page} last="Cost" />
          <h1 className="first-line">{formatHeadline(total, page.head.counts.dispatches)}</h1>
        </div>
      </header>
      <RunTabs page={page} view={null} />
      <div className="page">
        <Totals total={total} limit={page.head.cost.limitUsd} tokens={page.head.tokens} />
        <div className="two-columns">
          <CostTable title="By phase" lines={byPhase} total={total} />
          <CostTable title="By role" lines={byRole} total={total} />
          <CostTable title="By agent" lines={byAgent} total={total} />
          <CostTable title="By model" lines={byModel} total={total} />
        </div>
        <UnreportedAttempts silent={silent} />
        <p className="note">Costs are never estimated from price lists. The engine itself uses no tokens.</p>
      </div>
    </>
  );
}

function formatHeadline(total: Money, dispatches: number): string {
  if (dispatches === 0) return "No dispatches, no cost";
  if (total.unknown === 0) return `${formatDollars(total.known)} known: all attempts reported their cost`;
  return `${formatDollars(total.known)} known, ${formatDollars(total.assumed)} assumed: ${formatQuantity(total.unknown, "attempt")} without a reported cost`;
}

type TotalsProps = {
  readonly total: Money;
  readonly limit: number | null;
  readonly tokens: { readonly input: number; readonly output: number; readonly unknown: number };
};

function Totals({ total, limit, tokens }: TotalsProps) {
  return (
    <dl className="card totals">
      <div>
        <dt>Known</dt>
        <dd>{formatDollars(total.known)}</dd>
      </div>
      <div>
        <dt>Assumed</dt>
        <dd>{total.unknown === 0 ? "–" : <AssumedAmount usd={total.assumed} />}</dd>
      </div>
      <div>
        <dt>Reserved</dt>
        <dd>{total.open === 0 ? "–" : <AssumedAmount usd={total.reserved} />}</dd>
      </div>
      <div>
        <dt>Counted against the budget</dt>
        <dd>
          {formatDollars(total.counted)} <small>{limit === null ? "no limit" : `of ${formatDollars(limit)}`}</small>
        </dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>
          {formatCount(tokens.input)} in, {formatCount(tokens.output)} out{" "}
          <small>{tokens.unknown > 0 ? `${formatQuantity(tokens.unknown, "attempt")} not reported` : ""}</small>
        </dd>
      </div>
    </dl>
  );
}

function UnreportedAttempts({ silent }: { readonly silent: CostReport["silent"] }) {
  if (silent.length === 0) return null;
  return (
    <section className="card scroll-x">
      <table className="list dense">
        <caption>Attempts without a reported cost</caption>
        <Columns all={["Agent", "Phase", { number: "Assumed" }, "Reason"]} />
        <tbody>
          {silent.map(({ who, phase, assumedUsd, why }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one agent may be listed more than once.
            <tr key={index}>
              <td>{who}</td>
              <td>{phase}</td>
              <td className="num">
                <AssumedAmount usd={assumedUsd} />
              </td>
              <td>{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
