import { createHash } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** Far more than one page has in progress at once. */
const MAX_KEYS = 500;

type RememberedRequest = { readonly what: string; readonly answer: Promise<unknown> };

/**
 * Executes requests with the same idempotency key once and gives every sender the same answer, so that a page can
 * safely repeat a request whose answer it lost. A request that was refused or failed can be repeated.
 */
export function createIdempotencyCache() {
  const known = new Map<string, RememberedRequest>();
  return async (key: string | undefined, order: unknown, carryOut: () => Promise<unknown>): Promise<unknown> => {
    if (key === undefined) return carryOut();
    const what = createHash("sha256").update(JSON.stringify(order)).digest("hex");
    const earlier = known.get(key);
    if (earlier) {
      if (earlier.what === what) return earlier.answer;
      throw new Refusal(
        "KEY_REUSED",
        "This Idempotency-Key was already used for a different request.",
        "Use a new key for each request.",
      );
    }
    const answer = carryOut();
    known.set(key, { what, answer });
    answer.catch(() => known.delete(key));
    for (const oldest of [...known.keys()].slice(0, -MAX_KEYS)) known.delete(oldest);
    return answer;
  };
}
