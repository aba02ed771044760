import type { JournalRecord } from "../../core/journal/record.ts";
import { withoutSequences } from "../../core/text/terminal-sequences.ts";
import { runStateOf } from "../../views/page/head/run-state.ts";
import { choiceLines } from "../../views/run-status-text.ts";
import { createView, type RunView } from "../../views/run-view.ts";
import { STATES, type StateName } from "../../views/states.ts";

export const NOTICE_EVENTS = ["waiting", "finished", "suspended", "failed"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** What somebody who is not there is told of a run: no prompt, no diff, nothing that a question shows. */
export type Notice = {
  readonly event: NoticeEvent;
  /** As every surface names it; letters of before do not say it. */
  readonly state?: StateName;
  readonly run: string;
  /** The record that it speaks of. */
  readonly seq: number;
  readonly at: number;
  readonly pipeline: string;
  readonly repository: string;
  /** Whose turn it is. */
  readonly needs: string;
  readonly title: string;
  readonly because: string;
  /** Lines to type. */
  readonly next: readonly string[];
};

export type NoticeReader = { take(record: JournalRecord): Notice | undefined };

/** Reads a run's journal from its first record on; one record is worth at most one notice. */
export function createNoticeReader(told: { readonly repository: string; redact(text: string): string }): NoticeReader {
  const fold = createView();
  // Also afterwards: what was taken out may have stood in the middle of a secret.
  const clean = (text: string, most: number): string => cut(told.redact(flat(told.redact(text))), most);
  return {
    take(record) {
      fold.take(record);
      if (!TOLD.has(record.type)) return undefined;
      const view = fold.view();
      const said = saidOf(record, view);
      if (!said) return undefined;
      return {
        event: said.event,
        state: said.state,
        run: view.run,
        seq: record.seq,
        at: record.ts,
        pipeline: clean(view.pipeline, MOST_NAME),
        repository: clean(told.repository, MOST_NAME),
        needs: said.needs,
        title: clean(said.title, MOST_TITLE),
        because: clean(said.because, MOST_BECAUSE),
        next: said.next.slice(0, MOST_LINES).map((line) => clean(line, MOST_LINE)),
      };
    },
  };
}

const TOLD: ReadonlySet<string> = new Set(["approval.requested", "run.suspended", "run.finished"]);
const MOST_NAME = 100;
const MOST_TITLE = 200;
const MOST_BECAUSE = 400;
const MOST_LINE = 300;
const MOST_LINES = 8;
/** Nobody can know from afar who works on it. */
const ABSENT = { owned: false, answered: new Set<string>() };

type Said = Pick<Notice, "event" | "needs" | "title" | "because" | "next"> & { readonly state: StateName };

function saidOf(record: JournalRecord, view: RunView): Said | undefined {
  if (record.type === "approval.requested") return question(record, view);
  if (record.type === "run.suspended") return suspended(record, view);
  return record.type === "run.finished" ? ended(record, view) : undefined;
}

function question(asked: JournalRecord<"approval.requested">, { approvals, phases, run }: RunView): Said | undefined {
  // Its own default answers it.
  if (approvals === "autonomous" && asked.auto !== "never" && !asked.pause) return undefined;
  const phase = phases.find(({ state }) => state === "current")?.title;
  return {
    event: "waiting",
    state: "waiting",
    needs: asked.pause ? "somebody who lets it go on" : "a person's answer",
    title: asked.title,
    because: phase === undefined ? "it cannot go on without a person" : `asked in ${phase}`,
    next: [`signalbox inbox ${asked.approval}`, ...choiceLines({ ...asked, run })],
  };
}

function suspended({ status, reason }: JournalRecord<"run.suspended">, view: RunView): Said | undefined {
  // What it waits for was told when it was asked; a person's pause nobody has told yet.
  if (status === "waiting" || (status === "paused" && view.open.some(({ pause }) => pause))) return undefined;
  const { state, next } = runStateOf(view, ABSENT);
  const title = `suspended: ${status}`;
  return { event: "suspended", state, needs: "somebody who resumes it", title, because: reason, next };
}

function ended({ status }: JournalRecord<"run.finished">, view: RunView): Said {
  const { state, because, next } = runStateOf(view, ABSENT);
  // Whoever canceled it wanted this end; one that a gate does not vouch for is nobody's wish.
  const needs = state === "done" || state === "canceled" ? "nobody" : "somebody who looks";
  if (status === "done" || status === "canceled")
    return { event: "finished", state, needs, title: `finished: ${STATES[state].word}`, because, next };
  return { event: "failed", state, needs, title: `failed: ${status}`, because, next };
}

/** One line without anything that moves a cursor, hides or reorders text. */
function flat(text: string): string {
  return withoutSequences(text)
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replaceAll(/[\p{Cf}\p{Bidi_Control}]/gu, "")
    .toWellFormed()
    .trim();
}

function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}
