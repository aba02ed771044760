import { createInterface, type Interface } from "node:readline/promises";
import { isWordless } from "../../core/authoring/wordless.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import { questionLines } from "../../surfaces/terminal/question-lines.ts";
import type { Call } from "../call.ts";
import { openInEditor, openInPager } from "../output/view-text.ts";
import { userName } from "../project/user-name.ts";
import { answeredLine } from "../runs/already-answered.ts";

type ApprovalRequest = JournalRecord<"approval.requested">;
type Parts = {
  readonly call: Call;
  readonly host: Host;
  readonly interrupt: () => void;
  /** All that a question shows, as one text. */
  readonly whole: (asked: ApprovalRequest) => Promise<string>;
  /** The person has left: what is open stays open, and no longer holds the run. */
  readonly leave: () => void;
  /** Where the person types and reads; without it the process's own. */
  readonly streams?: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream };
};

export type TerminalQuestions = {
  heard(record: JournalRecord): void;
  /** Questions that were asked before this process began: nobody has seen what they show yet. */
  recall(records: readonly JournalRecord[]): void;
  close(): void;
};

/**
 * Asks open questions on the terminal, one at a time, and posts the answer to the inbox like every other surface.
 * An answer from elsewhere takes the question away again.
 */
export function askOnTerminal(parts: Parts): TerminalQuestions {
  const { call, host } = parts;
  const open = new Map<string, Open>();
  let autonomous = false;
  let asking = Promise.resolve();

  const leave = ({ approval }: ApprovalRequest): void => {
    call.print(call.paint.dim(`\n  ${approval} stays open: signalbox inbox ${approval}`));
    for (const each of open.values()) each.gone.abort();
    parts.leave();
  };
  const ask = async ({ asked, gone, old }: Open): Promise<void> => {
    if (gone.signal.aborted) return;
    if (old) for (const line of questionLines(call.paint, asked)) call.print(line);
    const reply = await prompt(parts, asked, gone.signal);
    if (reply === "left") leave(asked);
    if (!reply || reply === "left") return;
    const { approval, hash, run } = asked;
    const earlier = await host.inbox.post(run, { kind: "answer", approval, hash, by: userName(), ...reply });
    if (earlier) call.print(`  ${call.paint.yellow(answeredLine(earlier, Date.now()))}`);
  };

  const take = (record: JournalRecord, old: boolean): void => {
    if (record.type === "run.started") autonomous = record.approvals === "autonomous";
    if (record.type === "approval.decided") open.get(record.approval)?.gone.abort();
    if (record.type !== "approval.requested" || record.pause) return;
    if (autonomous && record.auto !== "never") return;
    const question = { asked: record, gone: new AbortController(), old };
    open.set(record.approval, question);
    asking = asking.then(() => ask(question)).catch(() => undefined);
  };

  return {
    heard: (record) => take(record, false),
    recall: (records) => {
      for (const record of records) take(record, true);
    },
    close() {
      for (const { gone } of open.values()) gone.abort();
    },
  };
}

type Open = { readonly asked: ApprovalRequest; readonly gone: AbortController; readonly old: boolean };

type Reply = { readonly choice: string; readonly note?: string };

/** Undefined when it was answered elsewhere, or the run is over; `left` when the person closes the input (Ctrl-D). */
async function prompt(parts: Parts, asked: ApprovalRequest, gone: AbortSignal): Promise<Reply | "left" | undefined> {
  for (;;) {
    const said = await heard(parts, asked, gone);
    if (said !== "pager" && said !== "editor") return said;
    const show = said === "pager" ? openInPager : openInEditor;
    await show(parts.call, await parts.whole(asked));
    if (gone.aborted) return undefined;
  }
}

const OWN = { input: process.stdin, output: process.stdout };

type Heard = Reply | "pager" | "editor" | "left" | undefined;

async function heard(
  { call, interrupt, streams = OWN }: Parts,
  asked: ApprovalRequest,
  gone: AbortSignal,
): Promise<Heard> {
  const lines = createInterface(streams);
  lines.on("SIGINT", interrupt);
  const closed = new AbortController();
  lines.once("close", () => closed.abort());
  try {
    return await answered(lines, { call, asked, signal: AbortSignal.any([gone, closed.signal]) });
  } catch {
    return gone.aborted ? undefined : "left";
  } finally {
    lines.close();
  }
}

const VIEWS: Readonly<Record<string, "pager" | "editor">> = { v: "pager", e: "editor" };

type Prompt = { readonly call: Call; readonly asked: ApprovalRequest; readonly signal: AbortSignal };

async function answered(lines: Interface, { call, asked, signal }: Prompt): Promise<Heard> {
  const numbered = asked.choices.map((choice, index) => `${index + 1} ${oneLine(choice)}`);
  const keys = [...numbered, "v view all", ...(process.env["EDITOR"] ? ["e in your editor"] : [])].join("   ");
  for (;;) {
    const said = (await lines.question(`\n  ${keys}\n  ${call.paint.bold("your choice")} › `, { signal })).trim();
    const choice = asked.choices[Number(said) - 1] ?? asked.choices.find((each) => each === said);
    const view = choice === undefined ? VIEWS[said] : undefined;
    if (view) return view;
    if (choice === undefined) continue;
    const note = (await lines.question(`  ${wanted(asked, choice)} › `, { signal })).trim();
    if (isWordless(asked, { choice, note })) continue;
    return { choice, ...(note ? { note } : {}) };
  }
}

function wanted({ words = [], revises }: ApprovalRequest, choice: string): string {
  return words.includes(choice) || choice === revises ? "your words" : "a note, if you like";
}
