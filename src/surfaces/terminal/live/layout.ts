import { clip, countCells } from "../cells.ts";

/** The left-aligned and right-aligned parts of one line. */
export type LineSides = { readonly left: string; readonly right?: string };

const GAP = 2;

/** Puts both sides on one line if they fit. Otherwise the right side follows below, broken at its dots. */
export function alignSides({ left, right = "" }: LineSides, columns: number): string[] {
  if (right === "") return [clip(left, columns)];
  const space = columns - countCells(left) - countCells(right);
  if (space >= GAP) return [`${left}${" ".repeat(space)}${right}`];
  return [clip(left, columns), ...breakAtDots(right, columns - INDENT).map((line) => " ".repeat(INDENT) + line)];
}

const INDENT = 2;
const DOT = " · ";

/** Breaks a text at its dots, with as many parts per line as fit. */
export function breakAtDots(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const part of text.split(DOT)) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}${DOT}${part}`;
    if (last !== undefined && countCells(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(clip(part, columns));
  }
  return lines;
}

/** Joins as many parts as fit, starting from the left. */
export function joinFittingParts(parts: readonly string[], columns: number, gap: string): string {
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : `${line}${gap}${part}`;
    if (countCells(longer) > columns) break;
    line = longer;
  }
  return line;
}

/** A part of the live region. If rows are scarce, parts with the lowest weight are dropped first. */
export type RegionPart = {
  readonly lines: readonly string[];
  readonly weight: number;
  /** Formats how many lines were omitted. Set if the part may be shortened line by line. */
  readonly rest?: (left: number) => string;
};

/** Lays out the parts in order, in at most `rows` rows. */
export function layOutRows(parts: readonly RegionPart[], rows: number): string[] {
  let kept = parts.filter(({ lines }) => lines.length > 0);
  while (countRows(kept) > rows && kept.length > 1) {
    const over = countRows(kept) - rows;
    const long = kept.find(({ rest, lines }) => rest !== undefined && lines.length - over >= MIN_LINES);
    if (long) kept = kept.map((part) => (part === long ? shorten(part, over) : part));
    else {
      const lightest = Math.min(...kept.map(({ weight }) => weight));
      kept = kept.filter(({ weight }) => weight !== lightest);
    }
  }
  return kept.flatMap(({ lines }) => lines).slice(0, rows);
}

/** One line, and the line that says how many were omitted. */
const MIN_LINES = 2;

function shorten({ lines, rest, weight }: RegionPart, over: number): RegionPart {
  const left = lines.slice(0, lines.length - over - 1);
  return { lines: [...left, rest?.(lines.length - left.length) ?? ""], weight };
}

const countRows = (parts: readonly RegionPart[]): number => parts.reduce((sum, { lines }) => sum + lines.length, 0);
