import { isMissingNote } from "../core/authoring/missing-note.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { DroppedSignal, EarlierAnswer, PostedSignal, Signal } from "../core/ports/host.ts";

export const QUESTION_TYPES = ["approval.requested", "approval.decided", "run.finished"] as const;
export type QuestionRecord = JournalRecord<(typeof QUESTION_TYPES)[number]>;

type AnswerHistory = { readonly unread: readonly PostedSignal[]; readonly records: readonly QuestionRecord[] };

/**
 * Finds the answer that makes this signal too late: the recorded decision, the end of the run, or the first unread
 * answer that will be accepted. Looked up and posted under one lock, so of two concurrent answers one finds the other.
 * @rule A-32 (policy) Of two answers to one question exactly one counts; the sender of the other is told at once who
 *   answered.
 */
export function findEarlierAnswer(signal: Signal, { unread, records }: AnswerHistory): EarlierAnswer | undefined {
  const named = "approval" in signal ? signal.approval : undefined;
  const ours = records.filter((record) => record.type !== "run.finished" && record.approval === named);
  const decided = ours.find((record) => record.type === "approval.decided");
  if (decided) return { choice: decided.choice, by: decided.by, at: decided.ts };
  const end = records.find((record) => record.type === "run.finished");
  if (end) return toEndAnswer(end);
  if (signal.kind === "resume" && named === undefined) return undefined;
  const asked = ours.findLast((record) => record.type === "approval.requested");
  // A resume withdraws earlier pauses.
  const since = signal.kind === "pause" ? unread.findLastIndex(({ letter }) => letter.kind === "resume") + 1 : 0;
  const first = unread.slice(since).find((posted) => isSameDecision(posted.letter, signal, asked));
  return first && { choice: getChoice(first.letter), by: first.letter.by, at: first.at };
}

/** A finished run stays finished, whether it was canceled or ended by itself. */
function toEndAnswer({ status, by, ts }: JournalRecord<"run.finished">): EarlierAnswer {
  return { choice: status === "canceled" ? "cancel" : status, by: by ?? "the run's end", at: ts };
}

type ApprovalRequest = JournalRecord<"approval.requested">;

/**
 * True if the engine will accept the other signal as an answer to the same question. Answers to other content or with
 * an invalid choice do not block others.
 */
function isSameDecision(other: Signal | DroppedSignal, signal: Signal, asked: ApprovalRequest | undefined): boolean {
  // A cancel answers every question of the run.
  if (other.kind === "cancel") return true;
  // A resume answers the pause whether or not it names it.
  if (signal.kind === "resume" || signal.kind === "pause") return other.kind === signal.kind;
  if (signal.kind === "stop") return other.kind === "stop" && other.effect === signal.effect;
  if (signal.kind !== "answer" || other.kind !== "answer" || other.approval !== signal.approval) return false;
  if (asked && (!asked.choices.includes(other.choice) || isMissingNote(asked, other))) return false;
  return other.hash === (asked?.hash ?? signal.hash);
}

const getChoice = (signal: Signal | DroppedSignal): string => (signal.kind === "answer" ? signal.choice : signal.kind);
