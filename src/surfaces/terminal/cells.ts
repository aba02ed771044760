import { withoutSequences } from "../../core/text/terminal-sequences.ts";

/** Drawn over what stands before them. */
const NO_CELL = /[\p{Mn}\p{Me}\u200b-\u200f\u2060-\u2064\ufeff\u1160-\u11ff]/u;
/** Two cells: East Asian letters and signs, and pictures. */
const TWO_CELLS =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u2e80-\u303e\u3041-\u33ff\ua000-\ua4cf\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Makes a picture of the sign before it, and that sign twice as wide. */
const AS_PICTURE = "\ufe0f";
// biome-ignore lint/suspicious/noControlCharactersInRegex: everything below is one cell each.
const ASCII = /^[\u0000-\u007e]*$/;

/** How many cells of a terminal a text takes. Where terminals differ, the wider counts: nothing may run over the edge. */
export function cellsOf(text: string): number {
  const seen = withoutSequences(text);
  if (ASCII.test(seen)) return seen.length;
  let cells = 0;
  for (const sign of seen) cells += cellsOfSign(sign);
  return cells;
}

function cellsOfSign(sign: string): number {
  if (sign === AS_PICTURE) return 1;
  if (NO_CELL.test(sign)) return 0;
  return TWO_CELLS.test(sign) ? 2 : 1;
}

export function padCells(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - cellsOf(text)));
}

export function padCellsStart(text: string, cells: number): string {
  return " ".repeat(Math.max(0, cells - cellsOf(text))) + text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it.
const COLOUR = /\u001b\[[0-9;]*m/y;
const PLAIN_AGAIN = "\u001b[0m";

/** As much as has room; a sign is never cut in two, and `more` says that something is left out. Colours stay. */
export function clip(text: string, cells: number, more = "…"): string {
  if (cellsOf(text) <= cells) return text;
  const room = cells - cellsOf(more);
  if (room < 0) return "";
  const { kept, coloured } = beginning(text, room);
  return `${kept.trimEnd()}${more}${coloured ? PLAIN_AGAIN : ""}`;
}

function beginning(text: string, room: number): { readonly kept: string; readonly coloured: boolean } {
  let [kept, used, coloured] = ["", 0, false];
  for (let at = 0; at < text.length; ) {
    const colour = colourAt(text, at);
    if (colour) {
      kept += colour;
      at += colour.length;
      coloured = true;
      continue;
    }
    const sign = signAt(text, at);
    used += cellsOf(sign);
    if (used > room) break;
    kept += sign;
    at += sign.length || 1;
  }
  return { kept, coloured };
}

/** Of letters with any number of marks on them only so much is looked at. */
const LONGEST_SIGN = 64;

/** Made when something is first cut: it takes ten milliseconds, and most calls print nothing that is too long. */
let signs: Intl.Segmenter | undefined;

function signAt(text: string, at: number): string {
  signs ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const [first] = signs.segment(text.slice(at, at + LONGEST_SIGN));
  return first?.segment ?? "";
}

function colourAt(text: string, at: number): string | undefined {
  COLOUR.lastIndex = at;
  return COLOUR.exec(text)?.[0];
}
