import type { EarlierAnswer } from "../../core/ports/host.ts";
import type { AnswerResult } from "../../surfaces/server/port/answers.ts";
import { Refusal } from "../../surfaces/server/refusal.ts";
import type { Pending } from "../runs/questions/approvals.ts";
import { postAnswer, unknownChoice } from "../runs/questions/post-answer.ts";
import { isOwned, type RunStore } from "../runs/run-store.ts";
import { startAlone } from "../start/detach.ts";
import { personOf } from "../team/person.ts";

export type AnswerGiven = { readonly choice: string; readonly hash: string; readonly note?: string };

/** Name recorded for answers from the dashboard. */
const describeAnswerer = (store: RunStore): string => `${personOf(store)} through the dashboard`;

/** Answers like `approve --detach`: posts to the inbox, which accepts one answer, and continues a suspended run. */
export async function answerQuestion(store: RunStore, pending: Pending, given: AnswerGiven): Promise<AnswerResult> {
  const { approval, row } = pending;
  const { choice, hash, note } = given;
  if (hash !== approval.hash) throw createChangedError();
  if (!approval.choices.includes(choice)) throw unknownChoice(choice, approval.choices);
  const by = describeAnswerer(store);
  const earlier = await postAnswer(store, pending, { choice, by, ...(note === undefined ? {} : { note }) });
  if (earlier) return { answered: earlier, mine: isMine(store, earlier, choice) };
  if (!store.team && !isOwned(store, row)) startAlone(store.places, row.id);
  return { answered: { choice, by, at: store.world.now() }, mine: true };
}

/**
 * Returns true if the earlier answer is the same one by the same person, so that a page that lost its connection can
 * repeat the request, even to another server.
 */
export function isMine(store: RunStore, earlier: Omit<EarlierAnswer, "at">, choice: string): boolean {
  return earlier.choice === choice && earlier.by === describeAnswerer(store);
}

function createChangedError(): Refusal {
  return new Refusal(
    "CONTENT_CHANGED",
    "The question has changed since it was displayed.",
    "Reload the question, then answer it.",
  );
}
