import { STATES, type StateName, type Tone } from "../../views/states.ts";
import type { Paint } from "./paint.ts";

/** How a terminal shows things: in which colours, and whether it knows more than ASCII. */
export type Look = { readonly paint: Paint; readonly ascii: boolean };

/** The one sign of a state, in its colour. */
export function glyphOf({ paint, ascii }: Look, name: StateName): string {
  const state = STATES[name];
  return painted(paint, state.tone)(ascii ? state.ascii : state.glyph);
}

/** The same for lines that are told once: whoever prints them knows what the terminal can show. */
export function stateGlyph(paint: Paint, name: StateName): string {
  return glyphOf({ paint, ascii: false }, name);
}

export function painted(paint: Paint, tone: Tone): (text: string) => string {
  return { good: paint.green, bad: paint.red, accent: paint.cyan, warn: paint.yellow, quiet: paint.dim }[tone];
}

const SIGNS: ReadonlyMap<string, string> = new Map([
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
const KNOWN = new RegExp(`[${[...SIGNS.keys()].filter((sign) => /\P{ASCII}/u.test(sign)).join("")}]`, "gu");

/** Our own signs by letters that every terminal has; whatever else stands in a text is left alone. */
export function inAscii(text: string): string {
  return text.replace(KNOWN, (sign) => SIGNS.get(sign) ?? sign);
}
