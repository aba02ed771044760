import { counted } from "../../../core/text/count.ts";
import type { Forecast, PageHead } from "../../../views/page/page.ts";
import { clip, countCells } from "../cells.ts";
import { formatClock } from "../duration.ts";
import { formatTokens } from "../format-tokens.ts";
import type { TerminalStyle } from "../glyph.ts";
import { formatSeconds } from "./format-seconds.ts";
import { alignSides, joinFittingParts } from "./layout.ts";
import type { RegionView } from "./region.ts";

/** A key and its action. */
export type KeyBinding = { readonly key: string; readonly does: string };

const HELP = "?";

/** Minimum width for the forecast. */
const FORECAST_COLUMNS = 85;

/** Formats elapsed time, dispatches, cost and the forecast. */
export function formatFactLines(head: PageHead, { columns, now, look }: RegionView): string[] {
  const { counts, forecast, startedAt } = head;
  const used = head.tokens.input + head.tokens.output;
  const left = [
    formatClock(now - startedAt),
    counted(counts.dispatches, "dispatch", "dispatches"),
    ...(used > 0 && columns + 1 >= FORECAST_COLUMNS ? [`${formatTokens(used)} tokens`] : []),
  ].join(" · ");
  const money = formatCostFact(head, look);
  const shown = columns + 1 >= FORECAST_COLUMNS && forecast ? look.paint.dim(formatForecast(forecast)) : "";
  const all = money === "" ? left : `${left} · ${money}`;
  if (shown !== "" && countCells(all) + countCells(shown) + 2 <= columns)
    return alignSides({ left: all, right: shown }, columns);
  return alignSides({ left, right: money }, columns).slice(0, 2);
}

/** Formats the cost. Assumed and reserved amounts are marked with `~`. */
function formatCostFact({ cost, counts }: PageHead, { paint }: TerminalStyle): string {
  const estimated = cost.assumed + cost.reserved;
  const reported = counts.dispatches - cost.unknown - cost.open;
  const limit = cost.limitUsd === null ? "" : ` of $${cost.limitUsd.toFixed(2)}`;
  const unreported = cost.unknown > 0 ? ` · ${counted(cost.unknown, "attempt")} without a reported cost` : "";
  if (reported <= 0 && estimated === 0) return counts.dispatches > 0 || limit ? `cost not reported${limit}` : "";
  return `$${cost.known.toFixed(2)} known${estimated > 0 ? paint.yellow(` + ~$${estimated.toFixed(2)}`) : ""}${limit}${unreported}`;
}

function formatForecast({ dispatches, ms, runs }: Forecast): string {
  const [least, most] = dispatches;
  const many = least === most ? counted(least, "dispatch", "dispatches") : `${least}–${most} dispatches`;
  const times = [...new Set(ms.map(formatSeconds))].join("–");
  return `forecast ${many}, ${times} (${counted(runs, "run")})`;
}

/** Formats the available keys as far as they fit, or the current notice. */
export function formatKeyLine({ columns, look: { paint }, keys, notice, leaving = "stops" }: RegionView): string {
  if (notice !== undefined) return clip(paint.yellow(notice), columns);
  const leave = `${paint.cyan("ctrl-c")} ${leaving}`;
  const shown = ({ key, does }: KeyBinding): string => `${paint.cyan(key)} ${does}`;
  const room = columns - countCells(leave) - 2;
  // The key that lists all keys is dropped last.
  const help = keys.filter(({ key }) => key === HELP).map(shown);
  const kept = help.map((each) => countCells(each) + 2).reduce((sum, cells) => sum + cells, 0);
  const others = joinFittingParts(keys.filter(({ key }) => key !== HELP).map(shown), room - kept, "  ");
  const left = joinFittingParts([others, ...help].filter(Boolean), room, "  ");
  return `${left}${" ".repeat(Math.max(2, columns - countCells(left) - countCells(leave)))}${leave}`;
}
