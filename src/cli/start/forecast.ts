import type { Host } from "../../core/ports/host.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import type { RunView } from "../../views/run-view.ts";
import { foldRunOrDamage } from "../runs/fold-run.ts";

/** Minimum and maximum over the examined runs. */
type ForecastRange = { readonly least: number; readonly most: number };

export type Forecast = {
  /** Number of finished runs that the forecast is based on. */
  readonly runs: number;
  readonly dispatches: ForecastRange;
  readonly timeMs: ForecastRange;
  /** Null if an attempt did not report its cost: a partial sum would be misleadingly low. */
  readonly usd: ForecastRange | null;
};

const MAX_RUNS = 10;

/** Summarizes the last finished runs of the same pipeline in this repository. Returns undefined if there are none. */
export async function computeForecast(
  host: Pick<Host, "runs" | "journal">,
  at: { readonly repo: string; readonly pipeline: string; readonly without?: string },
): Promise<Forecast | undefined> {
  const rows = await host.runs.list({ repo: at.repo });
  const done = rows
    .filter(({ id, pipeline, status }) => pipeline === at.pipeline && status === "done" && id !== at.without)
    .slice(0, MAX_RUNS);
  if (done.length === 0) return undefined;
  const views = await Promise.all(done.map(({ id }) => foldRunOrDamage(host, id)));
  const spent = views.flatMap((view) => ("spent" in view ? [toSpending(view)] : []));
  if (spent.length === 0) return undefined;
  const costs = spent.map(({ usd }) => usd);
  return {
    runs: spent.length,
    dispatches: toRange(spent.map(({ dispatches }) => dispatches)),
    timeMs: toRange(spent.map(({ timeMs }) => timeMs)),
    usd: costs.every((usd) => usd !== undefined) ? toRange(costs) : null,
  };
}

export function formatForecast({ runs, dispatches, timeMs, usd }: Forecast): string {
  const from = runs === 1 ? "1 finished run" : `the last ${runs} finished runs`;
  const cost = usd === null ? "cost unknown" : formatRange(usd, (amount) => `$${amount.toFixed(2)}`);
  return `forecast from ${from}: ${formatRange(dispatches, String)} ${dispatches.most === 1 ? "dispatch" : "dispatches"} · ${formatRange(timeMs, formatDuration)} · ${cost}`;
}

const formatRange = ({ least, most }: ForecastRange, text: (amount: number) => string): string =>
  text(least) === text(most) ? text(least) : `${text(least)}–${text(most)}`;

const toRange = (amounts: readonly number[]): ForecastRange => ({
  least: Math.min(...amounts),
  most: Math.max(...amounts),
});

function toSpending({ spent, workedMs }: RunView) {
  const usd = spent.usdUnknown === 0 ? spent.usd : undefined;
  return { dispatches: spent.attempts, timeMs: workedMs, usd };
}
