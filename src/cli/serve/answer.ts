import type { EarlierAnswer } from "../../core/ports/host.ts";
import type { AnswerResult } from "../../surfaces/server/port/answers.ts";
import { Refusal } from "../../surfaces/server/refusal.ts";
import type { Pending } from "../runs/questions/approvals.ts";
import { postAnswer, unknownChoice } from "../runs/questions/post-answer.ts";
import { isOwned, type RunStore } from "../runs/run-store.ts";
import { startAlone } from "../start/detach.ts";
import { personOf } from "../team/person.ts";

export type AnswerGiven = { readonly choice: string; readonly hash: string; readonly note?: string };

/** Who answers, and where. */
const answerer = (store: RunStore): string => `${personOf(store)} through the dashboard`;

/** The way of `approve --detach`: through the inbox, which takes one answer; a run that rests goes on. */
export async function answerQuestion(store: RunStore, pending: Pending, given: AnswerGiven): Promise<AnswerResult> {
  const { approval, row } = pending;
  const { choice, hash, note } = given;
  if (hash !== approval.hash) throw changed();
  if (!approval.choices.includes(choice)) throw unknownChoice(choice, approval.choices);
  const by = answerer(store);
  const earlier = await postAnswer(store, pending, { choice, by, ...(note === undefined ? {} : { note }) });
  if (earlier) return { answered: earlier, mine: isMine(store, earlier, choice) };
  if (!store.team && !isOwned(store, row)) startAlone(store.places, row.id);
  return { answered: { choice, by, at: store.world.now() }, mine: true };
}

/**
 * The same answer from the same person again is the one that counts already: a page that was cut off can ask once more,
 * also of another server.
 */
export function isMine(store: RunStore, earlier: Omit<EarlierAnswer, "at">, choice: string): boolean {
  return earlier.choice === choice && earlier.by === answerer(store);
}

function changed(): Refusal {
  return new Refusal(
    "CONTENT_CHANGED",
    "What was shown is not what is asked now.",
    "Look at the question again, then answer it.",
  );
}
