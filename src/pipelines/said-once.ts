/** So many of a text's words in another one, and it says nothing new. */
const ALIKE = 0.8;

/** The texts that say something which neither the first line nor another of them says: of two alike the longer stays. */
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

/** Where each says the other, one of them stays: the one that says more, or else the earlier. */
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

/** By their stems: `greets` and `greeted` say the same. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
      .filter((word) => !SMALL.has(word))
      .map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s|e)$/u, "")),
  );
