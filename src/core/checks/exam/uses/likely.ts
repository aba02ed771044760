import type { MentionLine } from "./mention.ts";

/** More pairs of a line and a file, or longer lines before as many files, are compared by nobody: it would take minutes. */
const MOST_PAIRS = 200_000;
const MOST_CHARS = 32 * 1024 * 1024;

type SearchInput<T> = { readonly items: readonly T[]; readonly wordsOf: (item: T) => readonly string[] };
type Pair<T> = { readonly line: MentionLine; readonly items: readonly T[] };

/**
 * To each line the items of which it holds a word. Time grows with the text, not with the text times the words: a line's
 * own words are looked up. Undefined where the comparing that is left would be too much; nothing is known then.
 */
export function likelyIn<T>(
  lines: readonly MentionLine[],
  { items, wordsOf }: SearchInput<T>,
): readonly Pair<T>[] | undefined {
  const index = indexOf(items, wordsOf);
  const found: Pair<T>[] = [];
  let [pairs, chars] = [0, 0];
  for (const line of lines) {
    const likely = new Set(heldIn(line.text, index).flatMap(({ items: some }) => some));
    pairs += likely.size;
    chars += likely.size * line.text.length;
    if (pairs > MOST_PAIRS || chars > MOST_CHARS) return undefined;
    if (likely.size > 0) found.push({ line, items: [...likely] });
  }
  return found;
}

type Entry<T> = { readonly word: string; readonly items: readonly T[] };

function heldIn<T>(text: string, index: ReadonlyMap<string, readonly Entry<T>[]>): readonly Entry<T>[] {
  const likely = [...tokensOf(text)].flatMap((token) => index.get(token) ?? []);
  return likely.filter(({ word }) => text.includes(word));
}

/** By the first run of letters in a word; a path that is named has signs around it, so the run is whole there too. */
function indexOf<T>(items: readonly T[], wordsOf: (item: T) => readonly string[]): ReadonlyMap<string, Entry<T>[]> {
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

/** The empty one is for words without a letter that could be looked up. */
function tokensOf(text: string): ReadonlySet<string> {
  return new Set(["", ...(text.match(/\w+/g) ?? [])]);
}
