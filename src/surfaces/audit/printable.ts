const WIDTH = 100;
const LINES = 3;
// Control and format characters move the cursor, hide or reorder text; lone surrogates and private ones are no text.
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const MARK = /\p{M}/u;

/** Foreign text behind a prefix, in lines that fit; what does not fit in a few lines is cut. */
export function wrapped(text: string, prefix: string): string[] {
  const space = WIDTH - prefix.length;
  const lines = broken(text.replaceAll(/\s+/g, " ").replaceAll(UNSAFE, "\u00b7").trim(), space);
  const kept = lines.slice(0, LINES);
  if (lines.length > LINES) kept[LINES - 1] = `${firstFitting(kept[LINES - 1] ?? "", space - 1)}…`;
  return kept.map((line, at) => (at === 0 ? prefix : " ".repeat(prefix.length)) + line);
}

/** At spaces where it can be, inside a word where it must be. */
function broken(text: string, space: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length <= LINES) {
    const fitting = firstFitting(rest, space);
    if (fitting.length === rest.length) return [...lines, rest];
    const gap = rest[fitting.length] === " " ? fitting.length : fitting.lastIndexOf(" ");
    const end = gap > 0 ? gap : fitting.length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

function firstFitting(text: string, space: number): string {
  let end = 0;
  let width = 0;
  for (const letter of text) {
    width += MARK.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
    if (width > space) return text.slice(0, end);
    end += letter.length;
  }
  return text;
}
