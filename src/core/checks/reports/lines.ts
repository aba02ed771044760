/** A line of a test program's own is short; what is longer was not written by it. */
const MOST_CHARS = 500;

/** The lines of a text as a person reads them: without colors, and without space around them. */
export function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line.length < MOST_CHARS)
    .map((line) => withoutColor(line).trim());
}

function withoutColor(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what colors begin with.
  return line.replaceAll(/\u001b\[[\d;]{0,20}m/g, "");
}
