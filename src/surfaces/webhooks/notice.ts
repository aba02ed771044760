import type { JournalRecord } from "../../core/journal/record.ts";
import { removeSequences } from "../../core/text/terminal-sequences.ts";
import { resolveRunState } from "../../views/page/head/run-state.ts";
import { formatChoiceCommands } from "../../views/run-status-text.ts";
import { createRunView, type RunView } from "../../views/run-view.ts";
import { STATES, type StateName } from "../../views/states.ts";

export const NOTICE_EVENTS = ["waiting", "finished", "suspended", "failed"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** A notification about a run. It contains no prompt, no diff and no content of a question. */
export type Notice = {
  readonly event: NoticeEvent;
  /** The state as all surfaces name it. Notices from earlier versions do not have it. */
  readonly state?: StateName;
  readonly run: string;
  /** The record that caused the notice. */
  readonly seq: number;
  readonly at: number;
  readonly pipeline: string;
  readonly repository: string;
  /** The person whose action is needed. */
  readonly needs: string;
  readonly title: string;
  readonly because: string;
  /** Commands to run. */
  readonly next: readonly string[];
};

export type NoticeReader = { take(record: JournalRecord): Notice | undefined };

/** Creates a reader for a run's journal, from its first record. Each record produces at most one notice. */
export function createNoticeReader(source: {
  readonly repository: string;
  redact(text: string): string;
}): NoticeReader {
  const fold = createRunView();
  // Redacts again after flattening: removed characters may have split a secret.
  const clean = (text: string, most: number): string => truncate(source.redact(flatten(source.redact(text))), most);
  return {
    take(record) {
      fold.take(record);
      if (!NOTIFIED_TYPES.has(record.type)) return undefined;
      const view = fold.view();
      const content = describeRecord(record, view);
      if (!content) return undefined;
      return {
        event: content.event,
        state: content.state,
        run: view.run,
        seq: record.seq,
        at: record.ts,
        pipeline: clean(view.pipeline, MAX_NAME),
        repository: clean(source.repository, MAX_NAME),
        needs: content.needs,
        title: clean(content.title, MAX_TITLE),
        because: clean(content.because, MAX_BECAUSE),
        next: content.next.slice(0, MAX_LINES).map((line) => clean(line, MAX_LINE)),
      };
    },
  };
}

const NOTIFIED_TYPES: ReadonlySet<string> = new Set(["approval.requested", "run.suspended", "run.finished"]);
const MAX_NAME = 100;
const MAX_TITLE = 200;
const MAX_BECAUSE = 400;
const MAX_LINE = 300;
const MAX_LINES = 8;
/** A receiver elsewhere cannot know whether an engine is running. */
const NO_PRESENCE = { owned: false, answered: new Set<string>() };

type NoticeContent = Pick<Notice, "event" | "needs" | "title" | "because" | "next"> & { readonly state: StateName };

function describeRecord(record: JournalRecord, view: RunView): NoticeContent | undefined {
  if (record.type === "approval.requested") return describeQuestion(record, view);
  if (record.type === "run.suspended") return describeSuspension(record, view);
  return record.type === "run.finished" ? describeEnd(record, view) : undefined;
}

function describeQuestion(
  asked: JournalRecord<"approval.requested">,
  { approvals, phases, run }: RunView,
): NoticeContent | undefined {
  // An autonomous run answers this question with its default.
  if (approvals === "autonomous" && asked.auto !== "never" && !asked.pause) return undefined;
  const phase = phases.find(({ state }) => state === "current")?.title;
  return {
    event: "waiting",
    state: "waiting",
    needs: asked.pause ? "a person to resume it" : "a person's answer",
    title: asked.title,
    because: phase === undefined ? "the run needs a person's answer" : `asked in ${phase}`,
    next: [`signalbox inbox ${asked.approval}`, ...formatChoiceCommands({ ...asked, run })],
  };
}

function describeSuspension(
  { status, reason }: JournalRecord<"run.suspended">,
  view: RunView,
): NoticeContent | undefined {
  // The question was already reported when it was asked. A pause by a person was not.
  if (status === "waiting" || (status === "paused" && view.open.some(({ pause }) => pause))) return undefined;
  const { state, next } = resolveRunState(view, NO_PRESENCE);
  const title = `suspended: ${status}`;
  return { event: "suspended", state, needs: "a person to resume it", title, because: reason, next };
}

function describeEnd({ status }: JournalRecord<"run.finished">, view: RunView): NoticeContent {
  const { state, because, next } = resolveRunState(view, NO_PRESENCE);
  // The person who canceled wanted this end. Any other end without passed gates needs a review.
  const needs = state === "done" || state === "canceled" ? "nobody" : "a person to review it";
  if (status === "done" || status === "canceled")
    return { event: "finished", state, needs, title: `finished: ${STATES[state].word}`, because, next };
  return { event: "failed", state, needs, title: `failed: ${status}`, because, next };
}

/** Converts text to one line without characters that move the cursor, hide text or reorder it. */
function flatten(text: string): string {
  return removeSequences(text)
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replaceAll(/[\p{Cf}\p{Bidi_Control}]/gu, "")
    .toWellFormed()
    .trim();
}

function truncate(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}
