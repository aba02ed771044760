/**
 * JSON on one line, as another program or a terminal may be given it: whatever ends lines elsewhere, controls a terminal
 * or turns text around is escaped. It reads back as the same value.
 */
export function jsonLine(value: unknown): string {
  // Every such character is one code unit, and outside of texts JSON has none of them.
  return JSON.stringify(value).replaceAll(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** JSON escapes the first 32 itself. */
const UNSAFE = /[\p{Bidi_Control}\u007f-\u009f\u2028\u2029\ufeff]/gu;
