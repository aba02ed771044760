const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** Formats a size for people: `0 B`, `12.4 kB`, `3.1 GB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
