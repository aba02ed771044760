import { createInterface, type Interface } from "node:readline/promises";
import { isMissingNote } from "../../core/authoring/missing-note.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { breakLine } from "../../surfaces/terminal/columns.ts";
import { formatQuestionLines } from "../../surfaces/terminal/question-lines.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import { listChoices } from "../../views/page/choices.ts";
import type { Call } from "../call.ts";
import { openInEditor, openInPager } from "../output/pager.ts";
import { formatEarlierAnswer } from "../runs/questions/already-answered.ts";

type ApprovalRequest = JournalRecord<"approval.requested">;
type TerminalInputs = {
  readonly call: Call;
  readonly host: Host;
  /** Name of the person at the terminal. */
  readonly by: string;
  readonly interrupt: () => void;
  /** Returns the complete question as text. */
  readonly whole: (asked: ApprovalRequest) => Promise<string>;
  /** Called when the person leaves: questions stay open and no longer hold the run. */
  readonly leave: () => void;
  /** Takes other output off the terminal while a question uses it. */
  readonly aside?: <T>(use: () => Promise<T>) => Promise<T>;
  /** Input and output; the process's own by default. */
  readonly streams?: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream };
};

export type TerminalQuestions = {
  heard(record: JournalRecord): void;
  /** Adds questions from before this process started, whose content has not been displayed yet. */
  recall(records: readonly JournalRecord[]): void;
  /** Returns true if a question was postponed and is still open. */
  isWaiting(): boolean;
  /** Asks the first postponed question again. */
  ask(): void;
  close(): void;
};

/**
 * Asks open questions on the terminal, one at a time, and posts each answer to the inbox like every other surface. An
 * answer from elsewhere withdraws the question.
 */
export function askOnTerminal(parts: TerminalInputs): TerminalQuestions {
  const { call, host, aside = (use) => use() } = parts;
  const open = new Map<string, OpenQuestion>();
  let autonomous = false;
  let asking = Promise.resolve();
  /** Questions that the person postponed. */
  const later = new Map<string, OpenQuestion>();

  const leave = ({ approval }: ApprovalRequest): void => {
    call.print(call.paint.dim(`\n  ${approval} stays open: signalbox inbox ${approval}`));
    for (const each of open.values()) each.gone.abort();
    parts.leave();
  };
  const ask = async ({ asked, gone, old }: OpenQuestion): Promise<void> => {
    if (gone.signal.aborted) return;
    if (old) for (const line of formatQuestionLines(call.paint, asked)) call.print(line);
    const reply = await aside(() => prompt(parts, asked, gone.signal));
    if (reply === "later") later.set(asked.approval, { asked, gone, old: true });
    else if (reply === "left") leave(asked);
    else if (reply) await post(asked, reply);
  };
  const post = async (asked: ApprovalRequest, reply: ChosenAnswer): Promise<void> => {
    const { approval, hash, run } = asked;
    const earlier = await host.inbox.post(run, { kind: "answer", approval, hash, by: parts.by, ...reply });
    if (earlier) call.print(`  ${call.paint.yellow(formatEarlierAnswer(earlier, Date.now()))}`);
  };

  const take = (record: JournalRecord, old: boolean): void => {
    if (record.type === "run.started") autonomous = record.approvals === "autonomous";
    if (record.type === "approval.decided") {
      open.get(record.approval)?.gone.abort();
      later.delete(record.approval);
    }
    if (record.type !== "approval.requested" || record.pause) return;
    if (autonomous && record.auto !== "never") return;
    const question = { asked: record, gone: new AbortController(), old };
    open.set(record.approval, question);
    queue(question);
  };
  const queue = (question: OpenQuestion): void => {
    asking = asking.then(() => ask(question)).catch(() => undefined);
  };

  return {
    heard: (record) => take(record, false),
    recall: (records) => {
      for (const record of records) take(record, true);
    },
    isWaiting: () => later.size > 0,
    ask() {
      const [first] = later.values();
      if (!first) return;
      later.delete(first.asked.approval);
      queue(first);
    },
    close() {
      for (const { gone } of open.values()) gone.abort();
    },
  };
}

type OpenQuestion = { readonly asked: ApprovalRequest; readonly gone: AbortController; readonly old: boolean };

type ChosenAnswer = { readonly choice: string; readonly note?: string };

/**
 * Returns undefined if the question was answered elsewhere or the run is over, `left` if the person closes the input
 * (Ctrl-D), and `later` if they postpone it.
 */
async function prompt(
  parts: TerminalInputs,
  asked: ApprovalRequest,
  gone: AbortSignal,
): Promise<ChosenAnswer | "left" | "later" | undefined> {
  for (;;) {
    const reply = await readReply(parts, asked, gone);
    if (reply !== "pager" && reply !== "editor") return reply;
    const show = reply === "pager" ? openInPager : openInEditor;
    await show(parts.call, { name: "question", text: await parts.whole(asked) });
    if (gone.aborted) return undefined;
  }
}

const PROCESS_STREAMS = { input: process.stdin, output: process.stdout };

type PromptReply = ChosenAnswer | "pager" | "editor" | "left" | "later" | undefined;

async function readReply(
  { call, interrupt, streams = PROCESS_STREAMS, aside }: TerminalInputs,
  asked: ApprovalRequest,
  gone: AbortSignal,
): Promise<PromptReply> {
  const lines = createInterface(streams);
  lines.on("SIGINT", interrupt);
  // The input is paused after the program was suspended.
  lines.on("SIGCONT", () => lines.resume());
  const closed = new AbortController();
  lines.once("close", () => closed.abort());
  try {
    return await promptChoice(lines, {
      call,
      asked,
      canWait: aside !== undefined,
      signal: AbortSignal.any([gone, closed.signal]),
    });
  } catch {
    return gone.aborted ? undefined : "left";
  } finally {
    lines.close();
  }
}

const VIEWS: Readonly<Record<string, PromptReply>> = { v: "pager", e: "editor" };
const LATER: Readonly<Record<string, PromptReply>> = { l: "later" };

type Prompt = {
  readonly call: Call;
  readonly asked: ApprovalRequest;
  /** True if there is a live display to return to and a key that brings the question back. */
  readonly canWait: boolean;
  readonly signal: AbortSignal;
};

async function promptChoice(lines: Interface, { call, asked, canWait, signal }: Prompt): Promise<PromptReply> {
  const others = canWait ? { ...VIEWS, ...LATER } : VIEWS;
  const views = ["v view all", ...(process.env["EDITOR"] ? ["e open in editor"] : [])];
  const keys = `  ${[...views, ...(canWait ? ["l later"] : [])].join("   ")}`;
  const menu = [...formatChoices(asked), keys].flatMap((line) => breakLine(line, call.width)).join("\n");
  for (;;) {
    const reply = (await lines.question(`\n${menu}\n  ${call.paint.bold("your choice")} › `, { signal })).trim();
    const choice = asked.choices[Number(reply) - 1] ?? asked.choices.find((each) => each === reply);
    const other = choice === undefined ? others[reply] : undefined;
    if (other) return other;
    if (choice === undefined) continue;
    const note = (await lines.question(`  ${formatNotePrompt(asked, choice)} › `, { signal })).trim();
    if (isMissingNote(asked, { choice, note })) continue;
    return { choice, ...(note ? { note } : {}) };
  }
}

/** Formats each choice with its consequence, as on every other surface. */
function formatChoices(asked: ApprovalRequest): readonly string[] {
  return formatTable(
    listChoices(asked).map(({ name, leadsTo }, index) => [
      { text: `  ${index + 1} ${toOneLine(name)}` },
      { text: toOneLine(leadsTo) },
    ]),
  );
}

function formatNotePrompt({ words = [], revises }: ApprovalRequest, choice: string): string {
  return words.includes(choice) || choice === revises ? "note (required)" : "note (optional)";
}
