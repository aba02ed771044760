/** Numbers as every screen writes them. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return coarse(ms);
}

/** Of something that goes on: it must not flicker. */
export function coarse(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${pad(Math.floor(seconds / 60) % 60)}m`;
  return `${Math.floor(seconds / 86_400)} d`;
}

const pad = (value: number): string => String(value).padStart(2, "0");

/** The day is said where it is another than today. */
export function clock(at: number, now: number = at): string {
  const time = new Date(at);
  const said = `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
  const day = (each: number) => new Date(each).toDateString();
  return day(at) === day(now) ? said : `${time.getMonth() + 1}/${time.getDate()} ${said.slice(0, 5)}`;
}

/** Cents, and more where there would be none. */
export function dollars(usd: number): string {
  if (usd !== 0 && Math.abs(usd) < 0.005) return `$${usd.toPrecision(1)}`;
  return `${usd < 0 ? "−" : ""}$${Math.abs(usd).toFixed(2)}`;
}

export function count(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${trim(value / 1000)}k`;
  return `${trim(value / 1_000_000, 2)}M`;
}

const trim = (value: number, digits = 1): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(digits));

// Made once: a table asks it for every row of every frame.
const numbers = new Intl.NumberFormat("en-US");
export const whole = (value: number): string => numbers.format(value);

export function some(number: number, noun: string, many = `${noun}s`): string {
  return `${whole(number)} ${number === 1 ? noun : many}`;
}

/** Runs, trees and commits by the part that tells them apart. */
export const shortRun = (run: string): string => run.split("-").at(-1) ?? run;
export const shortTree = (tree: string): string => tree.slice(0, 7);
