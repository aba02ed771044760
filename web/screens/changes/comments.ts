import type { QuestionRow, RunPage } from "../../../src/views/page/page.ts";
import { groupRows } from "../run/rows.ts";

export const SEVERITIES = ["minor", "major", "critical"] as const;
export type Comment = {
  readonly path: string;
  readonly line: number;
  readonly severity: (typeof SEVERITIES)[number];
  readonly text: string;
};

/** Formats a person's findings in the form in which agents get findings. */
export const formatNote = (comments: readonly Comment[]): string =>
  comments.map(({ path, line, severity, text }) => `${severity} · ${path}:${line} · ${text}`).join("\n");

export const formatFollowUpRequest = (run: string, comments: readonly Comment[]): string =>
  `Resolve these review comments on the work of run ${run}:\n${formatNote(comments)}`;

/** Returns an open question with a choice that sends the work back. */
export function findRevisionChoice({
  rows,
}: RunPage): { readonly question: QuestionRow; readonly choice: string } | null {
  for (const question of groupRows(rows).questions) {
    if (question.answer !== null) continue;
    const choice = question.choices.find(({ revises }) => revises);
    if (choice) return { question, choice: choice.name };
  }
  return null;
}
