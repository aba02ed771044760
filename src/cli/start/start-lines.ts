import type { Sandbox } from "../processes/sandbox.ts";
import { oneLine } from "../surfaces/terminal/clean-text.ts";
import type { Paint } from "../surfaces/terminal/paint.ts";
import { type Forecast, forecastLine } from "./forecast.ts";
import type { Settings } from "./settings.ts";

type Start = {
  readonly sandbox: Sandbox;
  readonly settings: Settings;
  readonly forecast: Forecast | undefined;
};

/** What a run stands on, said before it begins: what holds its agents, and what will judge their work. */
export function startLines(paint: Paint, { sandbox, settings, forecast }: Start): readonly string[] {
  const { commands, setup, exempt } = settings;
  const names = commands.map(({ name, run, from }) => `${name}: ${oneLine(run, 60)} (${from})`);
  const none =
    exempt === undefined ? "none; you are asked whether that is meant" : `none, because: ${oneLine(exempt, 100)}`;
  const checks = names.length > 0 ? names.join(" · ") : none;
  const loose = !sandbox.confines.files;
  return [
    loose ? paint.yellow(sandbox.summary) : paint.dim(sandbox.summary),
    paint.dim(`checks: ${checks}`),
    ...(setup ? [paint.dim(`set-up before checks: ${oneLine(setup.run, 80)}`)] : []),
    ...(forecast ? [paint.dim(forecastLine(forecast))] : []),
  ];
}
