import { cellsOf, clip } from "../cells.ts";

/** What stands left and what stands right of one line. */
export type Sides = { readonly left: string; readonly right?: string };

const GAP = 2;

/** On one line where both have room; otherwise the right side goes below, broken at its dots. */
export function sided({ left, right = "" }: Sides, columns: number): string[] {
  if (right === "") return [clip(left, columns)];
  const space = columns - cellsOf(left) - cellsOf(right);
  if (space >= GAP) return [`${left}${" ".repeat(space)}${right}`];
  return [clip(left, columns), ...atDots(right, columns - INDENT).map((line) => " ".repeat(INDENT) + line)];
}

const INDENT = 2;
const DOT = " · ";

/** Parts between dots, as many on a line as have room. */
export function atDots(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const part of text.split(DOT)) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}${DOT}${part}`;
    if (last !== undefined && cellsOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(clip(part, columns));
  }
  return lines;
}

/** As many parts from the left as have room. */
export function asManyAsFit(parts: readonly string[], columns: number, gap: string): string {
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : `${line}${gap}${part}`;
    if (cellsOf(longer) > columns) break;
    line = longer;
  }
  return line;
}

/** A part of the region; where rows are short the least important goes first. */
export type Part = {
  readonly lines: readonly string[];
  readonly weight: number;
  /** Says how many were left out, where it may be shortened line by line. */
  readonly rest?: (left: number) => string;
};

/** The parts in their order, in at most so many rows. */
export function inRows(parts: readonly Part[], rows: number): string[] {
  let kept = parts.filter(({ lines }) => lines.length > 0);
  while (heightOf(kept) > rows && kept.length > 1) {
    const over = heightOf(kept) - rows;
    const long = kept.find(({ rest, lines }) => rest !== undefined && lines.length - over >= LEAST);
    if (long) kept = kept.map((part) => (part === long ? shortened(part, over) : part));
    else {
      const lightest = Math.min(...kept.map(({ weight }) => weight));
      kept = kept.filter(({ weight }) => weight !== lightest);
    }
  }
  return kept.flatMap(({ lines }) => lines).slice(0, rows);
}

/** One line and the word that there are more. */
const LEAST = 2;

function shortened({ lines, rest, weight }: Part, over: number): Part {
  const left = lines.slice(0, lines.length - over - 1);
  return { lines: [...left, rest?.(lines.length - left.length) ?? ""], weight };
}

const heightOf = (parts: readonly Part[]): number => parts.reduce((sum, { lines }) => sum + lines.length, 0);
