import type { Identity } from "../../core/journal/identity.ts";
import type { Sandbox } from "../../processes/sandbox/sandbox.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { Symptom } from "../doctor/symptom.ts";
import type { Settings } from "../project/settings.ts";
import { type Forecast, formatForecast } from "./forecast.ts";

type StartConditions = {
  readonly sandbox: Sandbox;
  readonly settings: Settings;
  readonly forecast: Forecast | undefined;
  readonly identity: Identity | undefined;
  /** Prerequisites that are missing but do not prevent the start. */
  readonly notes: readonly Symptom[];
};

const NO_IDENTITY =
  "git has no user configured, so commits use the name Signalbox (to change that, set git config user.name and user.email)";

/**
 * Formats the conditions of a run before it starts: the sandbox for its agents and the checks that will judge their
 * work.
 */
export function formatStartConditions(
  paint: Paint,
  { sandbox, settings, forecast, identity, notes }: StartConditions,
): readonly string[] {
  const { commands, setup, exempt } = settings;
  const names = commands.map(({ name, run, from }) => `${name}: ${toOneLine(run, 60)} (${from})`);
  const none = exempt === undefined ? "none; you are asked to confirm that" : `none: ${toOneLine(exempt, 100)}`;
  const checks = names.length > 0 ? names.join(" · ") : none;
  const loose = !sandbox.confines.files;
  return [
    loose ? paint.yellow(sandbox.summary) : paint.dim(sandbox.summary),
    paint.dim(`checks: ${checks}`),
    ...(setup ? [paint.dim(`set-up before checks: ${toOneLine(setup.run, 80)}`)] : []),
    ...notes.map(({ says, get }) => paint.yellow(`! ${says}${get === undefined ? "" : `: ${get}`}`)),
    ...(forecast ? [paint.dim(formatForecast(forecast))] : []),
    ...(identity ? [] : [paint.dim(NO_IDENTITY)]),
  ];
}
