import { removeSequences } from "../../core/text/terminal-sequences.ts";

/** Matches characters that take no cell of their own and are drawn over the previous one. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\u200b-\u200f\u2060-\u2064\ufeff\u1160-\u11ff]/u;
/** Matches characters that take two cells: East Asian characters and emoji. */
const DOUBLE_WIDTH =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u2e80-\u303e\u3041-\u33ff\ua000-\ua4cf\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Turns the previous character into an emoji and doubles its width. */
const EMOJI_SELECTOR = "\ufe0f";
// biome-ignore lint/suspicious/noControlCharactersInRegex: everything below is one cell each.
const ASCII = /^[\u0000-\u007e]*$/;

/**
 * Returns how many terminal cells a text takes. Where terminals differ it returns the larger number, so that no line
 * overflows.
 */
export function countCells(text: string): number {
  const seen = removeSequences(text);
  if (ASCII.test(seen)) return seen.length;
  let cells = 0;
  for (const sign of seen) cells += countCharacterCells(sign);
  return cells;
}

function countCharacterCells(sign: string): number {
  if (sign === EMOJI_SELECTOR) return 1;
  if (ZERO_WIDTH.test(sign)) return 0;
  return DOUBLE_WIDTH.test(sign) ? 2 : 1;
}

export function padCells(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - countCells(text)));
}

export function padCellsStart(text: string, cells: number): string {
  return " ".repeat(Math.max(0, cells - countCells(text))) + text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences start with it.
const COLOR = /\u001b\[[0-9;]*m/y;
const RESET = "\u001b[0m";

/**
 * Cuts a text to a number of cells. It never splits a character, keeps colors, and appends `more` if something is
 * omitted.
 */
export function clip(text: string, cells: number, more = "…"): string {
  if (countCells(text) <= cells) return text;
  const room = cells - countCells(more);
  if (room < 0) return "";
  const { kept, colored } = takeCells(text, room);
  return `${kept.trimEnd()}${more}${colored ? RESET : ""}`;
}

function takeCells(text: string, room: number): { readonly kept: string; readonly colored: boolean } {
  let [kept, used, colored] = ["", 0, false];
  for (let at = 0; at < text.length; ) {
    const color = matchColor(text, at);
    if (color) {
      kept += color;
      at += color.length;
      colored = true;
      continue;
    }
    const sign = getCharacter(text, at);
    used += countCells(sign);
    if (used > room) break;
    kept += sign;
    at += sign.length || 1;
  }
  return { kept, colored };
}

/** Limits the inspected length of one character, which may carry any number of combining marks. */
const MAX_CHARACTER_LENGTH = 64;

/** Created on first use: it takes ten milliseconds, and most commands cut nothing. */
let segmenter: Intl.Segmenter | undefined;

function getCharacter(text: string, at: number): string {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const [first] = segmenter.segment(text.slice(at, at + MAX_CHARACTER_LENGTH));
  return first?.segment ?? "";
}

function matchColor(text: string, at: number): string | undefined {
  COLOR.lastIndex = at;
  return COLOR.exec(text)?.[0];
}
