import { withoutSequences } from "../../core/text/terminal-sequences.ts";

export type Wrap = {
  /** Columns of the terminal; nothing is broken where there is no end. */
  readonly width: number;
  /** Columns by which every further line is moved in. */
  readonly indent: number;
};

/** Narrower than this a further line would be a pillar of single words. */
const LEAST = 20;

/** Lines that end between words instead of at the terminal's edge. Colours take no room. */
export function wrap(line: string, { width, indent }: Wrap): readonly string[] {
  if (lengthOf(line) <= width || width - indent < LEAST) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S)(?= )/)) {
    if (current.trim() !== "" && lengthOf(current) + lengthOf(word) > width) {
      lines.push(current);
      current = `${" ".repeat(indent)}${word.trimStart()}`;
    } else current += word;
  }
  return [...lines, current];
}

function lengthOf(text: string): number {
  return withoutSequences(text).length;
}
