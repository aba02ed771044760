import type { Limits } from "../../core/budget/budget.ts";
import { SignalboxError } from "../../core/failure/errors.ts";

export type LimitFlags = {
  readonly maxDispatches?: string;
  readonly maxTime?: string;
  readonly maxTokens?: string;
  readonly budget?: string;
};

/** Returns undefined if no limit was given. */
export function parseLimits(flags: LimitFlags): Limits | undefined {
  const limits: Limits = {
    ...(flags.maxDispatches === undefined ? {} : { dispatches: parseCount(flags.maxDispatches, "dispatches") }),
    ...(flags.maxTokens === undefined ? {} : { tokens: parseCount(flags.maxTokens, "tokens") }),
    ...(flags.maxTime === undefined ? {} : { timeMs: parseMilliseconds(flags.maxTime) }),
    ...(flags.budget === undefined ? {} : { usd: parseAmount(flags.budget) }),
  };
  return Object.keys(limits).length > 0 ? limits : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses a duration; a bare number means seconds. */
export function parseMilliseconds(text: string, name = "--max-time"): number {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (UNITS[unit] ?? Number.NaN));
  if (ms > 0) return ms;
  throw createUsageError(`${name} ${text} is not a duration.`, "Use for example 90s, 20m or 2h.");
}

function parseCount(text: string, of: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw createUsageError(`--max-${of} ${text} is not a number of ${of}.`, "Use a whole number above zero.");
}

function parseAmount(text: string): number {
  const usd = Number(text);
  if (usd > 0 && Number.isFinite(usd)) return usd;
  throw createUsageError(
    `--budget ${text} is not an amount of US dollars.`,
    "Use a number above zero, for example 8 or 2.50.",
  );
}

function createUsageError(message: string, hint: string): SignalboxError {
  return new SignalboxError("USAGE", message, hint);
}
