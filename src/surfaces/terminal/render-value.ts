import { stringify } from "yaml";
import { formatBrief } from "../../core/authoring/brief.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { cleanText } from "./clean-text.ts";

/** Formats the content of a question as text. It is written by agents, so it is cleaned first. */
function formatContent(show: unknown): string[] {
  if (show === null || show === undefined) return [];
  // No wrapping here, because only the printer knows the line width.
  const text = typeof show === "string" ? show : stringify(show, { lineWidth: 0, aliasDuplicateObjects: false });
  return cleanText(text).trimEnd().split("\n");
}

type QuestionContent = Pick<JournalRecord<"approval.requested">, "show" | "brief">;

/** Returns the brief of a question, or its full content if it has none. */
export function formatQuestionText({ show, brief }: QuestionContent): string[] {
  return brief ? formatBrief(brief).flatMap((line) => cleanText(line).split("\n")) : formatContent(show);
}
