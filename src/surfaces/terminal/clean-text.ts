import { withoutSequences } from "../../core/text/terminal-sequences.ts";

// Whatever could move the cursor, hide or reorder text: control characters, direction marks, the byte order mark.
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\ufeff]/gu;
const KEPT: ReadonlySet<string> = new Set(["\n", "\t"]);

/** Text of agents and files as a terminal may safely print it. */
export function cleanText(text: string): string {
  return withoutSequences(text).replace(INVISIBLE, (mark) => (KEPT.has(mark) ? mark : ""));
}

/** The net below every printed line: what it has left of an agent's is harmless, and our own colours stay. */
export function printable(line: string): string {
  return line.replace(INVISIBLE, (mark) => (KEPT.has(mark) || mark === ESCAPE ? mark : ""));
}

const ESCAPE = "\u001b";

/** Cleaned and on one line, cut where it gets too long to be read in passing. */
export function oneLine(text: string, most = 160): string {
  const flat = cleanText(text).replace(/\s+/g, " ").trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}
