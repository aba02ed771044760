/**
 * Formats JSON on one line for another program or a terminal: line separators, terminal controls and bidirectional
 * marks are escaped. Parsing it gives the same value.
 */
export function formatJsonLine(value: unknown): string {
  // Every such character is one code unit, and JSON contains them only inside strings.
  return JSON.stringify(value).replaceAll(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** JSON escapes the first 32 itself. */
const UNSAFE = /[\p{Bidi_Control}\u007f-\u009f\u2028\u2029\ufeff]/gu;
