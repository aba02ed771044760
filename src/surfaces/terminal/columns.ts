import { removeSequences } from "../../core/text/terminal-sequences.ts";
import { countCells } from "./cells.ts";

/**
 * Fits a line to the terminal width. Commands to paste are not broken, because a break by the terminal is not copied.
 */
export function fitLine(line: string, width: number): readonly string[] {
  return isCommand(removeSequences(line)) ? [line] : breakLine(line, width);
}

/** Breaks a line at its dots, or otherwise at spaces. Continuation lines are indented to its last column. */
export function breakLine(line: string, width: number): string[] {
  if (countCells(line) <= width) return [line];
  const indent = " ".repeat(findLastColumn(removeSequences(line), width));
  const lines: string[] = [];
  let current = "";
  const add = (piece: string, between: string): void => {
    const longer = current === "" ? piece : `${current}${between}${piece}`;
    if (countCells(longer) <= width || current === "") current = longer;
    else {
      lines.push(current);
      current = `${indent}${piece}`;
    }
  };
  for (const [at, part] of line.split(DOT).entries()) {
    const between = at === 0 ? "" : DOT;
    const isWhole = countCells(part) <= width - indent.length && (at > 0 || countCells(part) <= width);
    const pieces = isWhole ? [{ piece: part, between }] : splitIntoPieces(part, between, width - indent.length);
    for (const each of pieces) add(each.piece, each.between);
  }
  return [...lines, current];
}

const DOT = " · ";

type Piece = { readonly piece: string; readonly between: string };

/** Splits a text into words. A path that is too long for a line is also split after its slashes. */
function splitIntoPieces(text: string, before: string, room: number): readonly Piece[] {
  return splitIntoWords(text).flatMap((word, at) => {
    const isPath = countCells(word) > room && !isCommand(removeSequences(word));
    const parts = isPath ? word.split(/(?<=\w\/)(?=\w)/) : [word];
    return parts.map((piece, nth) => ({ piece, between: nth > 0 ? "" : at === 0 ? before : " " }));
  });
}

/** Treats a command to paste as one word. */
function splitIntoWords(text: string): readonly string[] {
  const command = COMMAND_INSIDE.exec(text);
  const start = command ? command.index + (command[1]?.length ?? 0) : text.length;
  const [before, after] = [text.slice(0, start).trimEnd(), text.slice(start)];
  return [...before.split(/(?<=\S) (?=\S)/), ...(after === "" ? [] : [after])];
}

const PROGRAMS =
  "(?:signalbox [a-z]|git (?:config|switch|merge|diff|push|show|log|branch|revert) |npm (?:ci|i|install|run) ?)";
const COMMAND = new RegExp(`^\\s*(?:[a-z ]+:\\s+)?${PROGRAMS}`);
/** Matches a command after a colon, optionally in a color, up to the end of the line. */
const COMMAND_INSIDE = new RegExp(`(: )(?:\u001b\\[[0-9;]*m)?${PROGRAMS}.*$`);

const isCommand = (text: string): boolean => COMMAND.test(text);

/**
 * Finds the start of the last column. Columns are separated by two or more spaces; a column with little space after it
 * is ignored.
 */
function findLastColumn(text: string, width: number): number {
  const starts = [...text.slice(0, width).matchAll(/(?<=^| {2})\S/g)].map(({ index }) => index);
  return starts.findLast((at) => at <= Math.min(MAX_INDENT, Math.max(width / 2, width - MIN_WIDTH))) ?? 0;
}

const MAX_INDENT = 60;
/** Minimum number of cells that a continuation line needs to stay readable. */
const MIN_WIDTH = 28;
