import { stripVTControlCharacters } from "node:util";

const WIDTH = 100;

/** A line in as many as it needs, broken at spaces; what follows is set in under the first. */
export function inColumns(line: string, width: number = WIDTH): string[] {
  if (seen(line) <= width) return [line];
  const indent = " ".repeat(Math.min((/^ */.exec(line)?.[0].length ?? 0) + 4, 40));
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S) /)) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (seen(longer) <= width || current === "") current = longer;
    else {
      lines.push(current);
      current = `${indent}${word.trimStart()}`;
    }
  }
  return [...lines, current];
}

/** Colours take no room. */
const seen = (text: string): number => stripVTControlCharacters(text).length;
