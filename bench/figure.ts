/** One line of the report. A figure without a target is there for comparison. */
export type Figure = {
  readonly name: string;
  readonly target?: string;
  readonly reached: string;
  readonly met?: boolean;
};

export type Comparison = {
  readonly name: string;
  readonly value: number;
  readonly target: number;
  readonly unit: "ms" | "MB" | "×" | "%";
  /** Explains the value to the reader. */
  readonly from?: string;
};

export const atLeast = (about: Comparison): Figure => compareFigures(about, "≥", about.value >= about.target);
export const atMost = (about: Comparison): Figure => compareFigures(about, "≤", about.value <= about.target);

function compareFigures({ name, value, target, unit, from }: Comparison, sign: string, met: boolean): Figure {
  const reached = `${shown(value)} ${unit}${from === undefined ? "" : ` (${from})`}`;
  return { name, target: `${sign} ${target} ${unit}`, reached, met };
}

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString("en")}/s`;

export function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
