import { isWordless } from "../core/authoring/wordless.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { DroppedLetter, EarlierAnswer, PostedSignal, Signal } from "../core/ports/host.ts";

export const QUESTION_TYPES = ["approval.requested", "approval.decided", "run.finished"] as const;
export type QuestionRecord = JournalRecord<(typeof QUESTION_TYPES)[number]>;

type AnswerHistory = { readonly unread: readonly PostedSignal[]; readonly records: readonly QuestionRecord[] };

/**
 * The answer that a letter comes too late for: the one that was decided, the run's end, or the first unread one that
 * will be taken. Asked and posted under one lock, so of two that come at once one finds the other.
 * @rule A-32 (policy) Of two answers to one question exactly one counts, and the other is told who answered, at once.
 */
export function earlierAnswer(signal: Signal, { unread, records }: AnswerHistory): EarlierAnswer | undefined {
  const named = "approval" in signal ? signal.approval : undefined;
  const ours = records.filter((record) => record.type !== "run.finished" && record.approval === named);
  const decided = ours.find((record) => record.type === "approval.decided");
  if (decided) return { choice: decided.choice, by: decided.by, at: decided.ts };
  const end = records.find((record) => record.type === "run.finished");
  if (end) return endingOf(end);
  if (signal.kind === "resume" && named === undefined) return undefined;
  const asked = ours.findLast((record) => record.type === "approval.requested");
  // Whoever lets a run go on takes back what was said before to rest it.
  const since = signal.kind === "pause" ? unread.findLastIndex(({ letter }) => letter.kind === "resume") + 1 : 0;
  const first = unread.slice(since).find((posted) => counts(posted.letter, signal, asked));
  return first && { choice: choiceOf(first.letter), by: first.letter.by, at: first.at };
}

/** An end is final: whoever canceled the run was quicker, or the run itself was. */
function endingOf({ status, by, ts }: JournalRecord<"run.finished">): EarlierAnswer {
  return { choice: status === "canceled" ? "cancel" : status, by: by ?? "the run's end", at: ts };
}

type ApprovalRequest = JournalRecord<"approval.requested">;

/** Whether the engine will take it: one for other content, or with a choice that is none, keeps nobody from answering. */
function counts(other: Signal | DroppedLetter, signal: Signal, asked: ApprovalRequest | undefined): boolean {
  // Whoever ends a run answers whatever it asks.
  if (other.kind === "cancel") return true;
  // Whoever lets a run go on answers its pause, whether or not he names it.
  if (signal.kind === "resume" || signal.kind === "pause") return other.kind === signal.kind;
  if (signal.kind === "stop") return other.kind === "stop" && other.effect === signal.effect;
  if (signal.kind !== "answer" || other.kind !== "answer" || other.approval !== signal.approval) return false;
  if (asked && (!asked.choices.includes(other.choice) || isWordless(asked, other))) return false;
  return other.hash === (asked?.hash ?? signal.hash);
}

const choiceOf = (signal: Signal | DroppedLetter): string => (signal.kind === "answer" ? signal.choice : signal.kind);
