import type { QuestionRow, RunPage } from "../../../src/views/page/page.ts";
import { byKind } from "../run/rows.ts";

export const SEVERITIES = ["minor", "major", "critical"] as const;
export type Comment = {
  readonly path: string;
  readonly line: number;
  readonly severity: (typeof SEVERITIES)[number];
  readonly text: string;
};

/** Findings of a person, in the form in which an agent is given those of others. */
export const noteOf = (comments: readonly Comment[]): string =>
  comments.map(({ path, line, severity, text }) => `${severity} · ${path}:${line} · ${text}`).join("\n");

export const followUp = (run: string, comments: readonly Comment[]): string =>
  `Resolve what a person found in the work of run ${run}:\n${noteOf(comments)}`;

/** An open question, and the one of its choices that sends the work back. */
export function revision({ rows }: RunPage): { readonly question: QuestionRow; readonly choice: string } | null {
  for (const question of byKind(rows).questions) {
    if (question.answer !== null) continue;
    const choice = question.choices.find(({ leadsTo }) => leadsTo.startsWith("goes back"));
    if (choice) return { question, choice: choice.name };
  }
  return null;
}
