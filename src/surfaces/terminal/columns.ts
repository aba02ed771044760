import { withoutSequences } from "../../core/text/terminal-sequences.ts";

/** A line as the terminal has room for it. What is there to be pasted stays whole: the terminal's own break is none. */
export function fitted(line: string, width: number): readonly string[] {
  return isCommand(withoutSequences(line)) ? [line] : inColumns(line, width);
}

/** A line in as many as it needs, broken at spaces; what follows stands under its last column. */
export function inColumns(line: string, width: number): string[] {
  if (seen(line) <= width) return [line];
  const indent = " ".repeat(lastColumn(withoutSequences(line), width));
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

const isCommand = (text: string): boolean => /^\s*(?:[a-z ]+:\s+)?(?:signalbox|git|npm) \S/.test(text);

/** Columns are two or more spaces apart; one so far in that nothing has room behind it is none. */
function lastColumn(text: string, width: number): number {
  const starts = [...text.slice(0, width).matchAll(/(?<=^| {2})\S/g)].map(({ index }) => index);
  return starts.findLast((at) => at <= Math.min(FURTHEST, width / 2)) ?? 0;
}

const FURTHEST = 60;

/** Colours take no room. */
const seen = (text: string): number => withoutSequences(text).length;
