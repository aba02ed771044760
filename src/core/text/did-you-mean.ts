/** Returns the known word that was most likely meant; undefined if none is similar. */
export function findNearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > MOST_LETTERS) return undefined;
  const closest = known
    .map((candidate) => ({ candidate, distance: computeEditDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return closest && closest.distance <= Math.ceil(word.length * 0.4) ? closest.candidate : undefined;
}

/** Longer words are not compared. */
const MOST_LETTERS = 100;

/** Computes the Levenshtein distance with a single row. */
function computeEditDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, left] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, right] of [...to].entries()) {
      const replace = (row[column] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(replace, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
