/** More marks on one letter than any script needs; Unicode's stream-safe format allows 30. */
const MARKS = 32;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MARKS + 1}}`, "u");
const STRETCH = new RegExp(`\\P{M}*\\p{M}{0,${MARKS}}`, "gu");

/** Normalizes every final message: no byte-order mark, LF line ends, NFC. */
export function normalizeMessage(text: string): string {
  const unmarked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return composeNfc(unmarked.replace(/\r\n?/g, "\n"));
}

/**
 * Applies NFC in linear time. Sorting the marks of one letter is quadratic, so 400,000 of them take a minute. Longer
 * rows are composed piece by piece, which does not change text that people write.
 */
function composeNfc(text: string): string {
  if (!TOO_MANY_MARKS.test(text)) return text.normalize("NFC");
  return text.replace(STRETCH, (stretch) => stretch.normalize("NFC"));
}
