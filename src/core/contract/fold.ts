const BETWEEN_WORDS = /[\s_-]+/g;
const WRAPPERS = ["**", "__", "`", "*", '"', "'"] as const;

/** Normalizes spellings of one word: "Needs Revision", `needs_revision`, **NeedsRevision**. */
export function foldWord(text: string): string {
  return unwrapMarks(text).replace(BETWEEN_WORDS, "").toLowerCase();
}

/** Removes Markdown marks around a word. A mark on one side only is part of the word. */
export function unwrapMarks(text: string): string {
  const trimmed = text.trim();
  const mark = WRAPPERS.find((each) => trimmed.startsWith(each) && trimmed.endsWith(each));
  const inner = mark === undefined ? "" : trimmed.slice(mark.length, -mark.length);
  if (mark === undefined || inner.trim() === "" || inner.includes(mark) || trimmed.length <= 2 * mark.length)
    return trimmed;
  return inner.trim();
}
