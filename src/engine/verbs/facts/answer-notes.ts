import type { AnswerNote } from "../../../core/journal/effect.ts";
import type { JournalRecord } from "../../../core/journal/record.ts";
import type { Run } from "../../run.ts";

type DecisionRecord = JournalRecord<"approval.decided">;

/** A note as the run stores it: with the step that asked and the record that holds the answer. */
export type StoredNote = AnswerNote & Pick<DecisionRecord, "seq" | "key">;

/** Stores the note of an answer, if a person wrote one. */
export function storeNote({ state }: Run, decided: DecisionRecord, asked: string): void {
  state.notes.push(...toNote(decided, asked));
}

/** Reads the notes out of a journal. Past dispatches are not repeated, so the next one may know all of them. */
export function readNotes(records: readonly JournalRecord[]): StoredNote[] {
  const titles = new Map(
    records.flatMap((record) => (record.type === "approval.requested" ? [[record.approval, record.title]] : [])),
  );
  return records.flatMap((record) =>
    record.type === "approval.decided" ? toNote(record, titles.get(record.approval) ?? "") : [],
  );
}

function toNote({ seq, key, by, choice, note = "" }: DecisionRecord, asked: string): readonly StoredNote[] {
  return note.trim() === "" || by === "automatic" ? [] : [{ seq, key, by, asked, choice, note }];
}

/** Lists the notes since the last commit, oldest first. A note that sent work back is listed among the refusals instead. */
export function listNotes({ state }: Run): readonly AnswerNote[] {
  const { said, settledAt } = state.refusals;
  const refused = new Set(said.entries().map(([key]) => key));
  return state.notes
    .filter(({ seq, key }) => seq > settledAt && !refused.has(key))
    .map(({ by, asked, choice, note }) => ({ by, asked, choice, note }));
}
