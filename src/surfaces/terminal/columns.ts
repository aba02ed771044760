import { withoutSequences } from "../../core/terminal-sequences.ts";

const WIDTH = 100;
/** Further in, what follows would have no room. */
const FURTHEST = 60;

/** A line in as many as it needs, broken at spaces; what follows stands under its last column. */
export function inColumns(line: string, width: number = WIDTH): string[] {
  if (seen(line) <= width) return [line];
  const indent = " ".repeat(lastColumn(withoutSequences(line).slice(0, width)));
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (seen(longer) <= width || current === "") current = longer;
    else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current];
}

/** Columns are two or more spaces apart. */
function lastColumn(text: string): number {
  const starts = [...text.matchAll(/(?<=^| {2})\S/g)].map(({ index }) => index);
  return starts.findLast((at) => at <= FURTHEST) ?? 0;
}

/** Colours take no room. */
const seen = (text: string): number => withoutSequences(text).length;
