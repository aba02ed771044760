import type { RunRow } from "../../core/ports/host.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatAge } from "../../surfaces/terminal/duration.ts";
import { formatQuestionContent } from "../../surfaces/terminal/question-lines.ts";
import { formatChoiceCommands } from "../../views/run-status-text.ts";
import type { Call } from "../call.ts";
import { sendAbandoned } from "../notify/sender.ts";
import { foldRun } from "../runs/fold-run.ts";
import { formatEarlierAnswer } from "../runs/questions/already-answered.ts";
import {
  findApproval,
  listPendingApprovals,
  type PendingApproval,
  toQuestionDocument,
} from "../runs/questions/approvals.ts";
import { formatQuestion, readQuestionFiles } from "../runs/questions/question-text.ts";
import { withRunStore } from "../runs/run-store.ts";

const SHOWN_LINES = 40;

/** Lists the open questions, or shows one in full. */
export async function showInbox(call: Call, id?: string): Promise<number> {
  if (id !== undefined) return showQuestion(call, id);
  return withRunStore(
    call,
    async (store) => {
      sendAbandoned(store.places);
      const pending = await listPendingApprovals(store);
      if (call.json || pending.length > 0) return printQuestions(call, pending, store.world.now());
      for (const line of formatEmptyInbox(await store.host.runs.list())) call.print(line);
      return 0;
    },
    () => {
      if (call.json) return printQuestions(call, [], 0);
      for (const line of formatEmptyInbox([])) call.print(line);
      return 0;
    },
  );
}

async function showQuestion(call: Call, id: string): Promise<number> {
  return withRunStore(call, async (store) => {
    const pending = await findApproval(store, id);
    const { approval, row } = pending;
    const files = await readQuestionFiles({ store, asked: approval, view: await foldRun(store.host, row.id) });
    if (call.json) {
      call.emit({ v: 1, ...toInboxDocument(pending), files });
      return 0;
    }
    for (const line of formatQuestion(approval, files)) call.print(line);
    call.print("");
    for (const line of formatAnswerCommands(call, pending, store.world.now())) call.print(line);
    return 0;
  });
}

function printQuestions(call: Call, pending: readonly PendingApproval[], now: number): number {
  if (call.json) call.emit({ v: 1, approvals: pending.map(toInboxDocument) });
  else for (const each of pending) for (const line of formatInboxQuestion(call, each, now)) call.print(line);
  return 0;
}

/** A blocked run exits with the same code as one with a question, so the message points to it. */
function formatEmptyInbox(runs: readonly RunRow[]): readonly string[] {
  const last = runs.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  if (last?.status !== "blocked" && last?.status !== "stalled") return ["No open questions."];
  return [
    `No open questions. The last run is ${last.status}: ${toOneLine(last.reason ?? "", 200)}`,
    `  next: signalbox why ${last.id}`,
  ];
}

function toInboxDocument({ row, approval: asked, earlier }: PendingApproval) {
  const { auto, hash, ts } = asked;
  return {
    run: row.id,
    pipeline: row.pipeline,
    ...toQuestionDocument(asked),
    auto,
    hash,
    requestedAt: ts,
    answered: earlier !== undefined,
  };
}

function formatInboxQuestion(call: Call, pending: PendingApproval, now: number): string[] {
  const { row, approval } = pending;
  const { paint } = call;
  return [
    `${paint.yellow("◆")} ${paint.bold(toOneLine(approval.title))}  ${approval.approval}`,
    paint.dim(`  ${row.pipeline}  ${row.id}  asked ${formatAge(now - approval.ts)}`),
    ...formatQuestionContent(approval, SHOWN_LINES).map((line) => `    ${line}`),
    ...formatAnswerCommands(call, pending, now),
    "",
  ];
}

function formatAnswerCommands({ paint }: Call, { row, approval, earlier }: PendingApproval, now: number): string[] {
  const answered = earlier && `${formatEarlierAnswer(earlier, now)}; signalbox resume ${row.id}`;
  const [next = "", ...others] = answered ? [answered] : formatChoiceCommands(approval);
  return [`  next: ${paint.cyan(next)}`, ...others.map((line) => `        ${paint.cyan(line)}`)];
}
