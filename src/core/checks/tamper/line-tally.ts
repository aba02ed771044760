export function tallyLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Takes one occurrence of the line. Returns whether there was one. */
export function takeLine(counts: Map<string, number>, line: string): boolean {
  const left = counts.get(line) ?? 0;
  counts.set(line, left - 1);
  return left > 0;
}

/** Returns the lines without the removed ones. Each removed line takes away one occurrence. */
export function subtractLines(lines: readonly string[], removed: readonly string[]): readonly string[] {
  const counts = tallyLines(removed);
  return lines.filter((line) => !takeLine(counts, line));
}
