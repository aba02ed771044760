import { stringify } from "yaml";
import { linesOf } from "../../core/authoring/brief.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { cleanText } from "./clean-text.ts";

/** What a question shows, as lines a person can read: written by agents, so it is cleaned first. */
function shownLines(show: unknown): string[] {
  if (show === null || show === undefined) return [];
  // Whoever prints it knows how wide a line may be.
  const text = typeof show === "string" ? show : stringify(show, { lineWidth: 0, aliasDuplicateObjects: false });
  return cleanText(text).trimEnd().split("\n");
}

type Shown = Pick<JournalRecord<"approval.requested">, "show" | "brief">;

/** What a person reads of a question: its own brief, or where it has none all that it shows. */
export function readLines({ show, brief }: Shown): string[] {
  return brief ? linesOf(brief).flatMap((line) => cleanText(line).split("\n")) : shownLines(show);
}
