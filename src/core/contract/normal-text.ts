/** More marks on one letter than any script needs; Unicode's stream-safe format draws the line at 30. */
const MARKS = 32;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MARKS + 1}}`, "u");
const STRETCH = new RegExp(`\\P{M}*\\p{M}{0,${MARKS}}`, "gu");

/** One form for every final message: no byte-order mark, LF line ends, NFC. */
export function normalText(text: string): string {
  const unmarked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return composed(unmarked.replace(/\r\n?/g, "\n"));
}

/**
 * NFC in linear time. Sorting the marks of one letter is quadratic in their number, so 400,000 of them take a
 * minute: longer rows are composed stretch by stretch, which changes nothing for text that people write.
 */
function composed(text: string): string {
  if (!TOO_MANY_MARKS.test(text)) return text.normalize("NFC");
  return text.replace(STRETCH, (stretch) => stretch.normalize("NFC"));
}
