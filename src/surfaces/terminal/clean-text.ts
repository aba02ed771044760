import { removeSequences } from "../../core/text/terminal-sequences.ts";

// Matches characters that can move the cursor, hide text or reorder it: control characters, direction marks, the byte
// order mark.
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\ufeff]/gu;
const ALLOWED: ReadonlySet<string> = new Set(["\n", "\t"]);

/** Returns text of agents and files in a form that is safe to print on a terminal. */
export function cleanText(text: string): string {
  return removeSequences(text).replace(INVISIBLE, (mark) => (ALLOWED.has(mark) ? mark : ""));
}

/**
 * Removes harmful characters from a complete line as a last safeguard. It keeps escape characters, because our own
 * colors need them.
 */
export function stripHarmful(line: string): string {
  return line.replace(INVISIBLE, (mark) => (ALLOWED.has(mark) || mark === ESCAPE ? mark : ""));
}

const ESCAPE = "\u001b";

/** Cleans a text, joins it to one line and cuts it to a length that is readable in passing. */
export function toOneLine(text: string, most = 160): string {
  const flat = cleanText(text).replace(/\s+/g, " ").trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}
