import type { JournalRecord } from "../core/journal/record.ts";
import type { RecordHandlers } from "./record-handlers.ts";

export type OpenApproval = JournalRecord<"approval.requested">;
export type QuestionView = { readonly asked: OpenApproval; readonly answer?: JournalRecord<"approval.decided"> };

export type QuestionsView = {
  readonly questions: readonly QuestionView[];
  /** Unanswered questions. A finished run has none, because its open questions no longer matter. */
  readonly open: readonly OpenApproval[];
};

export function createQuestions() {
  const questions = new Map<string, QuestionView>();
  const taking: RecordHandlers = {
    "approval.requested": (asked) => void questions.set(asked.approval, { asked }),
    "approval.decided": (answer) => {
      const question = questions.get(answer.approval);
      if (question) questions.set(answer.approval, { asked: question.asked, answer });
    },
  };
  return {
    taking,
    view(finished: boolean): QuestionsView {
      const all = [...questions.values()];
      return { questions: all, open: finished ? [] : all.flatMap(({ asked, answer }) => (answer ? [] : [asked])) };
    },
  };
}
