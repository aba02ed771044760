import type { EarlierAnswer, Letter, Posted } from "../core/ports/host.ts";
import type { JournalRecord } from "../core/record.ts";

export type QuestionRecord = JournalRecord<"approval.requested" | "approval.decided">;
export const QUESTION_TYPES = ["approval.requested", "approval.decided"] as const;

type Known = { readonly unread: readonly Posted[]; readonly records: readonly QuestionRecord[] };

/**
 * The answer that a letter comes too late for: the one that was decided, or the first unread one that will be. Asked
 * and posted under one lock, so of two that come at once one finds the other.
 */
export function earlierAnswer(letter: Letter, { unread, records }: Known): EarlierAnswer | undefined {
  if (letter.kind === "cancel" || letter.approval === undefined) return undefined;
  const ours = records.filter(({ approval }) => approval === letter.approval);
  const decided = ours.find((record) => record.type === "approval.decided");
  if (decided) return { choice: decided.choice, by: decided.by, at: decided.ts };
  const asked = ours.findLast((record) => record.type === "approval.requested");
  const first = unread.find((posted) => counts(posted.letter, letter, asked));
  return first && { choice: choiceOf(first.letter), by: first.letter.by, at: first.at };
}

type Asked = JournalRecord<"approval.requested">;

/** Whether the engine will take it: one for other content, or with a choice that is none, keeps nobody from answering. */
function counts(other: Letter, letter: Letter, asked: Asked | undefined): boolean {
  // Whoever ends a run answers whatever it asks.
  if (other.kind === "cancel") return true;
  // Whoever lets a run go on answers its pause, whether or not he names it.
  if (letter.kind === "resume") return other.kind === "resume";
  if (letter.kind !== "answer" || other.kind !== "answer" || other.approval !== letter.approval) return false;
  return other.hash === (asked?.hash ?? letter.hash) && (asked?.choices.includes(other.choice) ?? true);
}

const choiceOf = (letter: Letter): string => (letter.kind === "answer" ? letter.choice : letter.kind);
