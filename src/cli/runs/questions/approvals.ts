import { SignalboxError } from "../../../core/failure/errors.ts";
import type { EarlierAnswer, PostedSignal, RunRow } from "../../../core/ports/host.ts";
import { listChoices } from "../../../views/page/choices.ts";
import type { OpenApproval } from "../../../views/questions.ts";
import { refuseForged } from "../anchors/forged-start.ts";
import { createRunEndedError, type FinishedRecord } from "../ended-run.ts";
import { foldRunOrDamage } from "../fold-run.ts";
import type { RunStore } from "../run-store.ts";
import { createAlreadyAnsweredError } from "./already-answered.ts";

export type PendingApproval = {
  readonly row: RunRow;
  readonly approval: OpenApproval;
  /** A posted answer that the engine has not read yet. */
  readonly earlier?: EarlierAnswer;
};

/** Lists every open question of this repository, oldest first. */
export async function listPendingApprovals(store: RunStore): Promise<PendingApproval[]> {
  const { host } = store;
  const pending: PendingApproval[] = [];
  for (const row of await host.runs.list()) {
    if (row.exit !== null && !SUSPENDED_WITH_QUESTIONS.has(row.status)) continue;
    const messages = await host.inbox.unread(row.id);
    const view = await foldRunOrDamage(host, row.id);
    // Questions of a forged run, which no worker drives, are not listed.
    if ("open" in view && view.open.length > 0 && (await isForged(store, row.id))) continue;
    for (const approval of "open" in view ? view.open : []) {
      const earlier = findPostedAnswer(approval, messages);
      pending.push({ row, approval, ...(earlier ? { earlier } : {}) });
    }
  }
  return pending.sort((a, b) => a.approval.ts - b.approval.ts);
}

async function isForged(store: RunStore, run: string): Promise<boolean> {
  try {
    await refuseForged(store, run);
    return false;
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "JOURNAL_DAMAGED") return true;
    throw error;
  }
}

/** Returns the first message that the engine will accept as the answer. */
export function findPostedAnswer(asked: OpenApproval, messages: readonly PostedSignal[]): EarlierAnswer | undefined {
  for (const { letter: signal, at } of messages) {
    if (signal.kind === "resume" && asked.pause) return { choice: signal.kind, by: signal.by, at };
    if (signal.kind !== "answer" || signal.approval !== asked.approval || signal.hash !== asked.hash) continue;
    if (asked.choices.includes(signal.choice)) return { choice: signal.choice, by: signal.by, at };
  }
  return undefined;
}

/** Converts a question to its JSON document. */
export function toQuestionDocument(asked: OpenApproval) {
  const { approval, title, show, brief, choices, words, revises, paths, tree } = asked;
  return {
    approval,
    title,
    show,
    ...(brief ? { brief } : {}),
    choices,
    leadsTo: Object.fromEntries(listChoices(asked).map((choice) => [choice.name, choice.leadsTo])),
    ...(words ? { words } : {}),
    ...(revises === undefined ? {} : { revises }),
    ...(paths ? { paths } : {}),
    ...(tree === undefined ? {} : { tree }),
  };
}

const SUSPENDED_WITH_QUESTIONS: ReadonlySet<string> = new Set([
  "waiting",
  "paused",
  "budget",
  "time",
  "interrupted",
  "broken",
]);

/** Finds an open question by its id or a unique prefix. */
export async function findApproval(store: RunStore, asked: string): Promise<PendingApproval> {
  const pending = await listPendingApprovals(store);
  const exact = pending.find(({ approval }) => approval.approval === asked);
  const matches = exact ? [exact] : pending.filter(({ approval }) => approval.approval.startsWith(asked));
  if (matches.length === 1 && matches[0]) return matches[0];
  if (matches.length > 1) {
    const ids = matches.map(({ approval }) => approval.approval).join(", ");
    throw new SignalboxError(
      "APPROVAL_UNKNOWN",
      `"${asked}" matches several questions: ${ids}.`,
      "Use a longer prefix.",
    );
  }
  await refuseLate(store, asked);
  throw new SignalboxError(
    "APPROVAL_UNKNOWN",
    `No open question matches "${asked}".`,
    "List open questions with `signalbox inbox`.",
  );
}

/** Rejects an answer to a question that was answered before, or whose run has ended, with the details. */
async function refuseLate({ host, world }: RunStore, asked: string): Promise<void> {
  const now = world.now();
  let ended: FinishedRecord | undefined;
  for (const row of await host.runs.list()) {
    const view = await foldRunOrDamage(host, row.id);
    if (!("questions" in view)) continue;
    const { questions, end } = view;
    const meant = questions.filter((each) => each.asked.approval.startsWith(asked));
    const [first] = meant.flatMap(({ answer }) => answer ?? []).sort((a, b) => a.seq - b.seq);
    if (first) {
      const { approval, choice, by, ts: at } = first;
      throw createAlreadyAnsweredError({ approval, earlier: { choice, by, at }, now });
    }
    if (meant.length > 0 && end?.type === "run.finished") ended ??= end;
  }
  if (ended) throw createRunEndedError(ended, now);
}
