import { removeSequences } from "../../core/text/terminal-sequences.ts";

export type WrapOptions = {
  /** Columns of the terminal, or infinity to disable wrapping. */
  readonly width: number;
  /** Indentation of continuation lines. */
  readonly indent: number;
};

/** Minimum width of a continuation line. */
const MIN_WIDTH = 20;

/** Wraps a line between words. Color sequences count as no columns. */
export function wrapLine(line: string, { width, indent }: WrapOptions): readonly string[] {
  if (measureLength(line) <= width || width - indent < MIN_WIDTH) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S)(?= )/)) {
    if (current.trim() !== "" && measureLength(current) + measureLength(word) > width) {
      lines.push(current);
      current = `${" ".repeat(indent)}${word.trimStart()}`;
    } else current += word;
  }
  return [...lines, current];
}

function measureLength(text: string): number {
  return removeSequences(text).length;
}
