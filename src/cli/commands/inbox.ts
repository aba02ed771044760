import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import { ago } from "../../surfaces/terminal/duration.ts";
import { shownLines } from "../../surfaces/terminal/shown.ts";
import { choiceLines } from "../../surfaces/terminal/standing.ts";
import { answeredLine } from "../already-answered.ts";
import { type Pending, pendingApprovals } from "../approvals.ts";
import { withBook } from "../book.ts";
import type { Call } from "../call.ts";

const SHOWN_LINES = 40;

export async function inbox(call: Call): Promise<number> {
  return withBook(
    call,
    async (book) => answer(call, await pendingApprovals(book), book.world.now()),
    () => answer(call, [], 0),
  );
}

function answer(call: Call, pending: readonly Pending[], now: number): number {
  if (call.json) call.emit({ v: 1, approvals: pending.map(documentOf) });
  else if (pending.length === 0) call.print("Nothing waits for you.");
  else for (const each of pending) for (const line of linesOf(call, each, now)) call.print(line);
  return 0;
}

function documentOf({ row, approval: asked, earlier }: Pending) {
  const { approval, title, show, choices, auto, hash, ts } = asked;
  return {
    approval,
    run: row.id,
    pipeline: row.pipeline,
    title,
    show,
    choices,
    auto,
    hash,
    requestedAt: ts,
    answered: earlier !== undefined,
  };
}

function linesOf({ paint }: Call, { row, approval, earlier }: Pending, now: number): string[] {
  const answered = earlier && `${answeredLine(earlier, now)}; signalbox resume ${row.id}`;
  const [next = "", ...others] = answered ? [answered] : choiceLines(approval);
  return [
    `${paint.yellow("◆")} ${paint.bold(oneLine(approval.title))}  ${approval.approval}`,
    paint.dim(`  ${row.pipeline}  ${row.id}  asked ${ago(now - approval.ts)}`),
    ...shownLines(approval.show, SHOWN_LINES).map((line) => `    ${line}`),
    `  next: ${paint.cyan(next)}`,
    ...others.map((line) => `        ${paint.cyan(line)}`),
    "",
  ];
}
