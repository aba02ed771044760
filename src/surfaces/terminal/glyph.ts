import { STATES, type StateName, type Tone } from "../../views/states.ts";
import type { Paint } from "./paint.ts";

/** The display capabilities of a terminal: its colors, and whether it displays more than ASCII. */
export type TerminalStyle = { readonly paint: Paint; readonly ascii: boolean };

/** Returns the glyph of a state in its color. */
export function renderGlyph({ paint, ascii }: TerminalStyle, name: StateName): string {
  const state = STATES[name];
  return getTonePainter(paint, state.tone)(ascii ? state.ascii : state.glyph);
}

/** Returns the Unicode glyph, for lines that are converted to ASCII when they are printed. */
export function renderStateGlyph(paint: Paint, name: StateName): string {
  return renderGlyph({ paint, ascii: false }, name);
}

export function getTonePainter(paint: Paint, tone: Tone): (text: string) => string {
  return { good: paint.green, bad: paint.red, accent: paint.cyan, warn: paint.yellow, quiet: paint.dim }[tone];
}

const ASCII_GLYPHS: ReadonlyMap<string, string> = new Map([
  ...Object.values(STATES).map(({ glyph, ascii }) => [glyph, ascii] as const),
  ["”", '"'],
  ["·", "-"],
  ["…", "..."],
  ["─", "-"],
  ["│", "|"],
  ["›", ">"],
  ["▸", ">"],
  ["→", "->"],
  ["×", "x"],
]);
const GLYPHS = new RegExp(`[${[...ASCII_GLYPHS.keys()].filter((sign) => /\P{ASCII}/u.test(sign)).join("")}]`, "gu");

/** Replaces our own glyphs by ASCII. All other text is unchanged. */
export function toAscii(text: string): string {
  return text.replace(GLYPHS, (sign) => ASCII_GLYPHS.get(sign) ?? sign);
}
