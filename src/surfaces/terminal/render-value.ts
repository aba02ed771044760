import { stringify } from "yaml";
import { cleanText } from "./clean-text.ts";

/** What a question shows, as lines a person can read: written by agents, so it is cleaned first. */
export function shownLines(show: unknown, most = Number.POSITIVE_INFINITY): string[] {
  if (show === null || show === undefined) return [];
  const text = typeof show === "string" ? show : stringify(show, { lineWidth: 92, aliasDuplicateObjects: false });
  const lines = cleanText(text).trimEnd().split("\n");
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines`];
}
