import type { QuestionSeen } from "../../questions.ts";
import type { StateName } from "../../states.ts";
import { choicesOf } from "../choices.ts";
import type { QuestionRow } from "../page.ts";
import type { RowContext, RowPart, Touch, Unstamped } from "./row-part.ts";

type Entry = { readonly phase: string; seen: QuestionSeen };

export function createQuestionRows(touch: Touch): RowPart {
  const questions = new Map<string, Entry>();
  const idOf = (approval: string): string => `question:${approval}`;
  return {
    taking: {
      "approval.requested": (asked, step) => {
        questions.set(idOf(asked.approval), { phase: step?.phase ?? "", seen: { asked } });
        touch(idOf(asked.approval), { seq: asked.seq, live: true });
      },
      "approval.decided": (answer) => {
        const entry = questions.get(idOf(answer.approval));
        if (!entry) return;
        entry.seen = { asked: entry.seen.asked, answer };
        touch(idOf(answer.approval), { seq: answer.seq, live: false });
      },
    },
    row(id, at) {
      const entry = questions.get(id);
      if (!entry) throw new Error(`no question ${id}`);
      return questionRow(id, entry, at);
    },
  };
}

function questionRow(id: string, { phase, seen: { asked, answer } }: Entry, at: RowContext): Unstamped<QuestionRow> {
  const { key, approval, title, show, brief = null, paths = [], hash, ts: askedAt, pause = false } = asked;
  return {
    kind: "question",
    id,
    phase,
    state: answer ? "answered" : openState(approval, pause, at),
    ...{ key, approval, title, show, brief, paths, choices: choicesOf(asked), hash, askedAt, pause },
    answer: answer ? { choice: answer.choice, by: answer.by, note: answer.note ?? "", at: answer.ts } : null,
  };
}

function openState(approval: string, pause: boolean, { view, presence }: RowContext): StateName {
  if (view.end?.type === "run.finished") return "skipped";
  // Answered, and no engine has read it yet.
  if (presence.answered.has(approval)) return "queued";
  return pause ? "paused" : "waiting";
}
