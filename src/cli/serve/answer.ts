import type { AnswerResult } from "../../surfaces/server/port.ts";
import { Refusal } from "../../surfaces/server/refusal.ts";
import { postAnswer, unknownChoice } from "../commands/decide.ts";
import { userName } from "../project/user-name.ts";
import type { Pending } from "../runs/approvals.ts";
import { isOwned, type RunStore } from "../runs/run-store.ts";
import { startAlone } from "../start/detach.ts";

export type AnswerGiven = { readonly choice: string; readonly hash: string; readonly note?: string };

/** Who answers, and where. */
export const answerer = (): string => `${userName()} through the dashboard`;

/** The way of `approve --detach`: through the inbox, which takes one answer; a run that rests goes on. */
export async function answerQuestion(store: RunStore, pending: Pending, given: AnswerGiven): Promise<AnswerResult> {
  const { approval, row } = pending;
  const { choice, hash, note } = given;
  if (hash !== approval.hash) throw changed();
  if (!approval.choices.includes(choice)) throw unknownChoice(choice, approval.choices);
  const by = answerer();
  const earlier = await postAnswer(store, pending, { choice, by, ...(note === undefined ? {} : { note }) });
  if (earlier) return { answered: earlier, mine: isMine(earlier, choice) };
  if (!isOwned(row, store.world.now())) startAlone(store.places, row.id);
  return { answered: { choice, by, at: store.world.now() }, mine: true };
}

/**
 * The same answer from the same person again is the one that counts already: a page that was cut off can ask once more,
 * also of another server.
 */
export function isMine(earlier: { readonly choice: string; readonly by: string }, choice: string): boolean {
  return earlier.choice === choice && earlier.by === answerer();
}

function changed(): Refusal {
  return new Refusal(
    "CONTENT_CHANGED",
    "What was shown is not what is asked now.",
    "Look at the question again, then answer it.",
  );
}
