import type { MentionLine } from "./mention.ts";

/** More pairs of a line and a file are not compared, because that would take minutes. */
const MOST_PAIRS = 200_000;
const MOST_CHARS = 32 * 1024 * 1024;

type SearchInput<T> = { readonly items: readonly T[]; readonly wordsOf: (item: T) => readonly string[] };
type LikelyPair<T> = { readonly line: MentionLine; readonly items: readonly T[] };

/**
 * Matches each line with the items of which it contains a word. Runs in time linear to the text, because the words of a
 * line are looked up. Returns undefined if too many comparisons remain; the result is then unknown.
 */
export function findLikelyMatches<T>(
  lines: readonly MentionLine[],
  { items, wordsOf }: SearchInput<T>,
): readonly LikelyPair<T>[] | undefined {
  const index = buildWordIndex(items, wordsOf);
  const found: LikelyPair<T>[] = [];
  let [pairs, chars] = [0, 0];
  for (const line of lines) {
    const likely = new Set(lookUpWords(line.text, index).flatMap(({ items: some }) => some));
    pairs += likely.size;
    chars += likely.size * line.text.length;
    if (pairs > MOST_PAIRS || chars > MOST_CHARS) return undefined;
    if (likely.size > 0) found.push({ line, items: [...likely] });
  }
  return found;
}

type WordEntry<T> = { readonly word: string; readonly items: readonly T[] };

function lookUpWords<T>(text: string, index: ReadonlyMap<string, readonly WordEntry<T>[]>): readonly WordEntry<T>[] {
  const likely = [...splitTokens(text)].flatMap((token) => index.get(token) ?? []);
  return likely.filter(({ word }) => text.includes(word));
}

/**
 * Indexed by the first run of letters in a word; a named path has punctuation around it, so the run is complete there
 * too.
 */
function buildWordIndex<T>(
  items: readonly T[],
  wordsOf: (item: T) => readonly string[],
): ReadonlyMap<string, WordEntry<T>[]> {
  const byWord = new Map<string, T[]>();
  for (const item of items) {
    for (const word of new Set(wordsOf(item))) {
      const known = byWord.get(word);
      if (known) known.push(item);
      else byWord.set(word, [item]);
    }
  }
  const entries = [...byWord].map(([word, some]) => ({ word, items: some }));
  return Map.groupBy(entries, ({ word }) => word.match(/\w+/)?.[0] ?? "");
}

/** The empty token is for words without letters, which cannot be looked up. */
function splitTokens(text: string): ReadonlySet<string> {
  return new Set(["", ...(text.match(/\w+/g) ?? [])]);
}
