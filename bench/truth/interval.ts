/** k of n with Wilson's 95 % interval, in whole per cent. */
export function share(k: number, n: number): string {
  if (n === 0) return "–";
  const [low, high] = wilson(k, n);
  const percent = (part: number) => Math.round(part * 100);
  return `${k}/${n} = ${percent(k / n)} % [${percent(low)}–${percent(high)}]`;
}

const Z = 1.96;

export function wilson(k: number, n: number): readonly [low: number, high: number] {
  const p = k / n;
  const middle = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
