import { createHash } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** What a page can have under way at once, many times over. */
const MOST = 500;

type Remembered = { readonly what: string; readonly answer: Promise<unknown> };

/**
 * The same order with the same key is carried out once, and everybody who sends it gets the same answer: a page that
 * does not know whether it was heard asks again. What was refused or failed can be tried again.
 */
export function createRepeats() {
  const known = new Map<string, Remembered>();
  return async (key: string | undefined, order: unknown, carryOut: () => Promise<unknown>): Promise<unknown> => {
    if (key === undefined) return carryOut();
    const what = createHash("sha256").update(JSON.stringify(order)).digest("hex");
    const earlier = known.get(key);
    if (earlier) {
      if (earlier.what === what) return earlier.answer;
      throw new Refusal(
        "KEY_REUSED",
        "This Idempotency-Key came with another order before.",
        "Send each order with a key of its own.",
      );
    }
    const answer = carryOut();
    known.set(key, { what, answer });
    answer.catch(() => known.delete(key));
    for (const oldest of [...known.keys()].slice(0, -MOST)) known.delete(oldest);
    return answer;
  };
}
