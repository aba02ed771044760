import { stringify } from "yaml";
import { cleanText } from "./clean-text.ts";

/** What a question shows, as lines a person can read: written by agents, so it is cleaned first. */
export function shownLines(show: unknown): string[] {
  if (show === null || show === undefined) return [];
  // Whoever prints it knows how wide a line may be.
  const text = typeof show === "string" ? show : stringify(show, { lineWidth: 0, aliasDuplicateObjects: false });
  return cleanText(text).trimEnd().split("\n");
}
