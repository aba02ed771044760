/** A text is redundant if this share of its words occurs in another one. */
const ALIKE = 0.8;

/** Removes texts that repeat the first line or each other. Of two similar texts the longer stays. */
export function saidOnce(first: string, texts: readonly string[]): readonly string[] {
  const all = texts.map((text) => ({ text, words: wordsOf(text) })).filter(({ text }) => text.trim() !== "");
  const subject = wordsOf(first);
  return all
    .filter(({ words }) => !isIn(words, subject))
    .filter(({ words }, at, left) =>
      left.every(
        (other, place) => place === at || !isIn(words, other.words) || staysBefore({ words, at }, other, place),
      ),
    )
    .map(({ text }) => text);
}

type Placed = { readonly words: ReadonlySet<string>; readonly at: number };

/** Decides between two texts that contain each other: the longer one stays, or the earlier one. */
function staysBefore({ words, at }: Placed, other: Pick<Placed, "words">, place: number): boolean {
  if (!isIn(other.words, words)) return false;
  return words.size === other.words.size ? at < place : words.size > other.words.size;
}

function isIn(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const known = [...words].filter((word) => others.has(word)).length;
  return known >= ALIKE * words.size;
}

const SMALL = new Set([
  "a",
  "an",
  "the",
  "and",
  "or",
  "of",
  "to",
  "in",
  "on",
  "for",
  "with",
  "is",
  "are",
  "was",
  "it",
  "its",
]);

/** Compares by stems: `greets` and `greeted` are equal. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
      .filter((word) => !SMALL.has(word))
      .map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s|e)$/u, "")),
  );
