import { counted } from "../../../core/text/counted.ts";
import type { Forecast, PageHead } from "../../../views/page/page.ts";
import { cellsOf, clip } from "../cells.ts";
import { clock } from "../duration.ts";
import type { Look } from "../glyph.ts";
import { tokensText } from "../tokens-text.ts";
import { asManyAsFit, sided } from "./fit.ts";
import type { View } from "./region.ts";
import { seconds } from "./seconds.ts";

/** A key, and what it does. */
export type Key = { readonly key: string; readonly does: string };

const HELP = "?";

/** Below this a forecast has no room. */
const WITH_FORECAST = 85;

/** How long, how many, how much, and what earlier runs took. */
export function factLines(head: PageHead, { columns, now, look }: View): string[] {
  const { counts, forecast, startedAt } = head;
  const used = head.tokens.input + head.tokens.output;
  const left = [
    clock(now - startedAt),
    counted(counts.dispatches, "dispatch", "dispatches"),
    ...(used > 0 && columns + 1 >= WITH_FORECAST ? [`${tokensText(used)} tokens`] : []),
  ].join(" · ");
  const money = moneyText(head, look);
  const shown = columns + 1 >= WITH_FORECAST && forecast ? look.paint.dim(forecastText(forecast)) : "";
  const all = money === "" ? left : `${left} · ${money}`;
  if (shown !== "" && cellsOf(all) + cellsOf(shown) + 2 <= columns) return sided({ left: all, right: shown }, columns);
  return sided({ left, right: money }, columns).slice(0, 2);
}

/** Known money is plain; what is assumed or reserved has its sign. */
function moneyText({ cost, counts }: PageHead, { paint }: Look): string {
  const guessed = cost.assumed + cost.reserved;
  const said = counts.dispatches - cost.unknown - cost.open;
  const limit = cost.limitUsd === null ? "" : ` of $${cost.limitUsd.toFixed(2)}`;
  const silent = cost.unknown > 0 ? ` · ${counted(cost.unknown, "attempt")} did not say` : "";
  if (said <= 0 && guessed === 0) return counts.dispatches > 0 || limit ? `cost not said${limit}` : "";
  return `$${cost.known.toFixed(2)} known${guessed > 0 ? paint.yellow(` + ~$${guessed.toFixed(2)}`) : ""}${limit}${silent}`;
}

function forecastText({ dispatches, ms, runs }: Forecast): string {
  const [least, most] = dispatches;
  const many = least === most ? counted(least, "dispatch", "dispatches") : `${least}–${most} dispatches`;
  const times = [...new Set(ms.map(seconds))].join("–");
  return `forecast ${many}, ${times} (${counted(runs, "run")})`;
}

/** What can be pressed now, as far as there is room; or what was just said. */
export function keyLine({ columns, look: { paint }, keys, notice, leaving = "stops" }: View): string {
  if (notice !== undefined) return clip(paint.yellow(notice), columns);
  const leave = `${paint.cyan("ctrl-c")} ${leaving}`;
  const shown = ({ key, does }: Key): string => `${paint.cyan(key)} ${does}`;
  const room = columns - cellsOf(leave) - 2;
  // The key that lists all the others is the last to go.
  const help = keys.filter(({ key }) => key === HELP).map(shown);
  const kept = help.map((each) => cellsOf(each) + 2).reduce((sum, cells) => sum + cells, 0);
  const others = asManyAsFit(keys.filter(({ key }) => key !== HELP).map(shown), room - kept, "  ");
  const left = asManyAsFit([others, ...help].filter(Boolean), room, "  ");
  return `${left}${" ".repeat(Math.max(2, columns - cellsOf(left) - cellsOf(leave)))}${leave}`;
}
