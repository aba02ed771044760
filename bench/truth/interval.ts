/** Formats k of n with Wilson's 95 % interval, in per cent with the given number of places. */
export function formatShare(k: number, n: number, places = 0): string {
  if (n === 0) return "–";
  const [low, high] = wilson(k, n);
  const percent = (part: number) => (part * 100).toFixed(places);
  return `${k}/${n} = ${percent(k / n)} % [${percent(low)}–${percent(high)}]`;
}

const Z = 1.96;

export function wilson(k: number, n: number): readonly [low: number, high: number] {
  const p = k / n;
  const middle = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
