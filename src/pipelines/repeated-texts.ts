/** A text is redundant if this share of its words occurs in another one. */
const ALIKE = 0.8;

/** Removes texts that repeat the first line or each other. Of two similar texts the longer stays. */
export function removeRepeatedTexts(first: string, texts: readonly string[]): readonly string[] {
  const all = texts.map((text) => ({ text, words: collectStems(text) })).filter(({ text }) => text.trim() !== "");
  const subject = collectStems(first);
  return all
    .filter(({ words }) => !containsWords(words, subject))
    .filter(({ words }, at, left) =>
      left.every(
        (other, place) =>
          place === at || !containsWords(words, other.words) || isPreferred({ words, at }, other, place),
      ),
    )
    .map(({ text }) => text);
}

type PlacedWords = { readonly words: ReadonlySet<string>; readonly at: number };

/** Decides between two texts that contain each other: the longer one stays, or the earlier one. */
function isPreferred({ words, at }: PlacedWords, other: Pick<PlacedWords, "words">, place: number): boolean {
  if (!containsWords(other.words, words)) return false;
  return words.size === other.words.size ? at < place : words.size > other.words.size;
}

function containsWords(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
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
const collectStems = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
      .filter((word) => !SMALL.has(word))
      .map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s|e)$/u, "")),
  );
