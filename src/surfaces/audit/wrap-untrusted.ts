const MAX_WIDTH = 100;
const MAX_LINES = 3;
// Control and format characters can move the cursor, hide text or reorder it. Lone surrogates and private-use
// characters are not text.
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const MARK = /\p{M}/u;

/** Wraps untrusted text after a prefix and cuts it after a few lines. */
export function wrapUntrusted(text: string, prefix: string): string[] {
  const space = MAX_WIDTH - prefix.length;
  const lines = breakText(text.replaceAll(/\s+/g, " ").replaceAll(UNSAFE, "\u00b7").trim(), space);
  const kept = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) kept[MAX_LINES - 1] = `${takeFitting(kept[MAX_LINES - 1] ?? "", space - 1)}…`;
  return kept.map((line, at) => (at === 0 ? prefix : " ".repeat(prefix.length)) + line);
}

/** Breaks a text at spaces, or inside a word that is too long for a line. */
function breakText(text: string, space: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length <= MAX_LINES) {
    const fitting = takeFitting(rest, space);
    if (fitting.length === rest.length) return [...lines, rest];
    const gap = rest[fitting.length] === " " ? fitting.length : fitting.lastIndexOf(" ");
    const end = gap > 0 ? gap : fitting.length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

function takeFitting(text: string, space: number): string {
  let end = 0;
  let width = 0;
  for (const letter of text) {
    width += MARK.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
    if (width > space) return text.slice(0, end);
    end += letter.length;
  }
  return text;
}
