import { withoutSequences } from "../../core/text/terminal-sequences.ts";
import { cellsOf } from "./cells.ts";

/** A line as the terminal has room for it. What is there to be pasted stays whole: the terminal's own break is none. */
export function fitted(line: string, width: number): readonly string[] {
  return isCommand(withoutSequences(line)) ? [line] : inColumns(line, width);
}

/** A line in as many as it needs, broken at its dots, else at spaces; what follows stands under its last column. */
export function inColumns(line: string, width: number): string[] {
  if (cellsOf(line) <= width) return [line];
  const indent = " ".repeat(lastColumn(withoutSequences(line), width));
  const lines: string[] = [];
  let current = "";
  const add = (piece: string, between: string): void => {
    const longer = current === "" ? piece : `${current}${between}${piece}`;
    if (cellsOf(longer) <= width || current === "") current = longer;
    else {
      lines.push(current);
      current = `${indent}${piece}`;
    }
  };
  for (const [at, part] of line.split(DOT).entries()) {
    const between = at === 0 ? "" : DOT;
    const isWhole = cellsOf(part) <= width - indent.length && (at > 0 || cellsOf(part) <= width);
    const pieces = isWhole ? [{ piece: part, between }] : piecesOf(part, between, width - indent.length);
    for (const each of pieces) add(each.piece, each.between);
  }
  return [...lines, current];
}

const DOT = " · ";

type Piece = { readonly piece: string; readonly between: string };

/** Word by word; a path that no line has room for goes on after one of its slashes. */
function piecesOf(text: string, before: string, room: number): readonly Piece[] {
  return wordsOf(text).flatMap((word, at) => {
    const isPath = cellsOf(word) > room && !isCommand(withoutSequences(word));
    const parts = isPath ? word.split(/(?<=\w\/)(?=\w)/) : [word];
    return parts.map((piece, nth) => ({ piece, between: nth > 0 ? "" : at === 0 ? before : " " }));
  });
}

/** What a person pastes is one word, however many it has. */
function wordsOf(text: string): readonly string[] {
  const command = COMMAND_INSIDE.exec(text);
  const start = command ? command.index + (command[1]?.length ?? 0) : text.length;
  const [before, after] = [text.slice(0, start).trimEnd(), text.slice(start)];
  return [...before.split(/(?<=\S) (?=\S)/), ...(after === "" ? [] : [after])];
}

const PROGRAMS =
  "(?:signalbox [a-z]|git (?:config|switch|merge|diff|push|show|log|branch|revert) |npm (?:ci|i|install|run) ?)";
const COMMAND = new RegExp(`^\\s*(?:[a-z ]+:\\s+)?${PROGRAMS}`);
/** Behind a colon, perhaps in a colour of its own, up to the end. */
const COMMAND_INSIDE = new RegExp(`(: )(?:\u001b\\[[0-9;]*m)?${PROGRAMS}.*$`);

const isCommand = (text: string): boolean => COMMAND.test(text);

/** Columns are two or more spaces apart; one so far in that little has room behind it is none. */
function lastColumn(text: string, width: number): number {
  const starts = [...text.slice(0, width).matchAll(/(?<=^| {2})\S/g)].map(({ index }) => index);
  return starts.findLast((at) => at <= Math.min(FURTHEST, Math.max(width / 2, width - LEAST))) ?? 0;
}

const FURTHEST = 60;
/** Cells that a further line needs to be more than a pillar of words. */
const LEAST = 28;
