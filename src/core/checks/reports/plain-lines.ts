/** Lines of a test program are short. Longer ones come from elsewhere. */
const MOST_CHARS = 500;

/** Splits a text into trimmed lines without colors. */
export function splitPlainLines(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line.length < MOST_CHARS)
    .map((line) => removeColor(line).trim());
}

function removeColor(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what colors begin with.
  return line.replaceAll(/\u001b\[[\d;]{0,20}m/g, "");
}
