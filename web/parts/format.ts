/** Formats a duration: `340 ms`, `2.5 s`, or like `formatRunningTime`. */
export function formatElapsed(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return formatRunningTime(ms);
}

/** Formats the duration of something in progress in whole units, so that it does not flicker. */
export function formatRunningTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${pad(Math.floor(seconds / 60) % 60)}m`;
  return `${Math.floor(seconds / 86_400)} d`;
}

const pad = (value: number): string => String(value).padStart(2, "0");

/** Formats a time of day, with the date if it is not today. */
export function formatTimeOfDay(at: number, now: number = at): string {
  const time = new Date(at);
  const formatted = `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
  const day = (each: number) => new Date(each).toDateString();
  return day(at) === day(now) ? formatted : `${time.getMonth() + 1}/${time.getDate()} ${formatted.slice(0, 5)}`;
}

/** Formats an amount with cents, or with one significant digit below a cent. */
export function formatDollars(usd: number): string {
  if (usd !== 0 && Math.abs(usd) < 0.005) return `$${usd.toPrecision(1)}`;
  return `${usd < 0 ? "−" : ""}$${Math.abs(usd).toFixed(2)}`;
}

export function formatCount(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${trim(value / 1000)}k`;
  return `${trim(value / 1_000_000, 2)}M`;
}

const trim = (value: number, digits = 1): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(digits));

// Created once, because tables format every row in every frame.
const numbers = new Intl.NumberFormat("en-US");
export const formatInteger = (value: number): string => numbers.format(value);

export function formatQuantity(number: number, noun: string, many = `${noun}s`): string {
  return `${formatInteger(number)} ${number === 1 ? noun : many}`;
}

/** Shortens the id of a run to the part that distinguishes it. */
export const shortenRun = (run: string): string => run.split("-").at(-1) ?? run;
export const shortenTree = (tree: string): string => tree.slice(0, 7);
