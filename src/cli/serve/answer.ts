import type { EarlierAnswer } from "../../core/ports/host.ts";
import type { AnswerResult } from "../../surfaces/server/port/documents.ts";
import { Refusal } from "../../surfaces/server/refusal.ts";
import type { PendingApproval } from "../runs/questions/approvals.ts";
import { createUnknownChoiceError, postAnswer } from "../runs/questions/post-answer.ts";
import { isOwned, type RunStore } from "../runs/run-store.ts";
import { startDetached } from "../start/detach.ts";
import { getPersonName } from "../team/person.ts";

export type GivenAnswer = { readonly choice: string; readonly hash: string; readonly note?: string };

/** Name recorded for answers from the dashboard. */
const describeAnswerer = (store: RunStore): string => `${getPersonName(store)} through the dashboard`;

/** Answers like `approve --detach`: posts to the inbox, which accepts one answer, and continues a suspended run. */
export async function answerQuestion(
  store: RunStore,
  pending: PendingApproval,
  given: GivenAnswer,
): Promise<AnswerResult> {
  const { approval, row } = pending;
  const { choice, hash, note } = given;
  if (hash !== approval.hash) throw createChangedError();
  if (!approval.choices.includes(choice)) throw createUnknownChoiceError(choice, approval.choices);
  const by = describeAnswerer(store);
  const earlier = await postAnswer(store, pending, { choice, by, ...(note === undefined ? {} : { note }) });
  if (earlier) return { answered: earlier, mine: isSameAnswer(store, earlier, choice) };
  if (!store.team && !isOwned(store, row)) startDetached(store.places, row.id);
  return { answered: { choice, by, at: store.world.now() }, mine: true };
}

/**
 * Returns true if the earlier answer is the same one by the same person, so that a page that lost its connection can
 * repeat the request, even to another server.
 */
export function isSameAnswer(store: RunStore, earlier: Omit<EarlierAnswer, "at">, choice: string): boolean {
  return earlier.choice === choice && earlier.by === describeAnswerer(store);
}

function createChangedError(): Refusal {
  return new Refusal(
    "CONTENT_CHANGED",
    "The question has changed since it was displayed.",
    "Reload the question, then answer it.",
  );
}
