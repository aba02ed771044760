import { SignalboxError } from "../core/errors.ts";
import { pagesOf } from "../core/journal-pages.ts";
import type { EarlierAnswer, Posted, RunRow } from "../core/ports/host.ts";
import type { JournalRecord } from "../core/record.ts";
import type { OpenApproval } from "../surfaces/terminal/run-view.ts";
import { alreadyAnswered } from "./already-answered.ts";
import type { Book } from "./book.ts";
import { foldRun } from "./run-fold.ts";

export type Pending = {
  readonly row: RunRow;
  readonly approval: OpenApproval;
  /** The answer that is posted and waits to be read. */
  readonly earlier?: EarlierAnswer;
};

/** Every open question of this repository, oldest first. */
export async function pendingApprovals({ host }: Book): Promise<Pending[]> {
  const pending: Pending[] = [];
  for (const row of await host.runs.list()) {
    if (row.exit !== null && !SUSPENDED_WITH_QUESTIONS.has(row.status)) continue;
    const letters = await host.inbox.unread(row.id);
    for (const approval of (await foldRun(host, row.id)).view([]).open) {
      const earlier = postedFor(approval, letters);
      pending.push({ row, approval, ...(earlier ? { earlier } : {}) });
    }
  }
  return pending.sort((a, b) => a.approval.ts - b.approval.ts);
}

/** The first letter that the engine will take for its answer. */
function postedFor(asked: OpenApproval, letters: readonly Posted[]): EarlierAnswer | undefined {
  for (const { letter, at } of letters) {
    if (letter.kind === "resume" && asked.pause) return { choice: letter.kind, by: letter.by, at };
    if (letter.kind !== "answer" || letter.approval !== asked.approval || letter.hash !== asked.hash) continue;
    if (asked.choices.includes(letter.choice)) return { choice: letter.choice, by: letter.by, at };
  }
  return undefined;
}

const SUSPENDED_WITH_QUESTIONS: ReadonlySet<string> = new Set([
  "waiting",
  "paused",
  "budget",
  "time",
  "interrupted",
  "broken",
]);

/** The open question that was meant, by its id or a prefix that only one has. */
export async function findApproval(book: Book, asked: string): Promise<Pending> {
  const pending = await pendingApprovals(book);
  const exact = pending.find(({ approval }) => approval.approval === asked);
  const matches = exact ? [exact] : pending.filter(({ approval }) => approval.approval.startsWith(asked));
  if (matches.length === 1 && matches[0]) return matches[0];
  if (matches.length > 1) {
    const ids = matches.map(({ approval }) => approval.approval).join(", ");
    throw new SignalboxError(
      "APPROVAL_UNKNOWN",
      `"${asked}" is the beginning of several questions: ${ids}.`,
      "Give one more character.",
    );
  }
  const decided = await decidedBefore(book, asked);
  if (decided) {
    const { approval, choice, by, ts: at } = decided;
    throw alreadyAnswered({ approval, earlier: { choice, by, at }, now: book.world.now() });
  }
  throw new SignalboxError(
    "APPROVAL_UNKNOWN",
    `No open question is named "${asked}".`,
    "See what is open with `signalbox inbox`.",
  );
}

async function decidedBefore({ host }: Book, asked: string): Promise<JournalRecord<"approval.decided"> | undefined> {
  for (const row of await host.runs.list()) {
    for await (const records of pagesOf(host.journal, row.id)) {
      const decided = records.find((record) => record.type === "approval.decided" && record.approval.startsWith(asked));
      if (decided?.type === "approval.decided") return decided;
    }
  }
  return undefined;
}
