import type { QuestionView } from "../../questions.ts";
import type { StateName } from "../../states.ts";
import { listChoices } from "../choices.ts";
import type { QuestionRow } from "../page.ts";
import type { MarkChanged, RowContext, RowProducer, RowWithoutSeq } from "./row-producer.ts";

type QuestionEntry = { readonly phase: string; seen: QuestionView };

export function createQuestionRows(touch: MarkChanged): RowProducer {
  const questions = new Map<string, QuestionEntry>();
  const toRowId = (approval: string): string => `question:${approval}`;
  return {
    taking: {
      "approval.requested": (asked, step) => {
        questions.set(toRowId(asked.approval), { phase: step?.phase ?? "", seen: { asked } });
        touch(toRowId(asked.approval), { seq: asked.seq, live: true });
      },
      "approval.decided": (answer) => {
        const entry = questions.get(toRowId(answer.approval));
        if (!entry) return;
        entry.seen = { asked: entry.seen.asked, answer };
        touch(toRowId(answer.approval), { seq: answer.seq, live: false });
      },
    },
    row(id, at) {
      const entry = questions.get(id);
      if (!entry) throw new Error(`no question ${id}`);
      return toQuestionRow(id, entry, at);
    },
  };
}

function toQuestionRow(
  id: string,
  { phase, seen: { asked, answer } }: QuestionEntry,
  at: RowContext,
): RowWithoutSeq<QuestionRow> {
  const { key, approval, title, show, brief = null, paths = [], hash, ts: askedAt, pause = false } = asked;
  return {
    kind: "question",
    id,
    phase,
    state: answer ? "answered" : resolveOpenState(approval, pause, at),
    ...{ key, approval, title, show, brief, paths, choices: listChoices(asked), hash, askedAt, pause },
    answer: answer ? { choice: answer.choice, by: answer.by, note: answer.note ?? "", at: answer.ts } : null,
  };
}

function resolveOpenState(approval: string, pause: boolean, { view, presence }: RowContext): StateName {
  if (view.end?.type === "run.finished") return "skipped";
  // Answered, but no engine has read the answer yet.
  if (presence.answered.has(approval)) return "queued";
  return pause ? "paused" : "waiting";
}
