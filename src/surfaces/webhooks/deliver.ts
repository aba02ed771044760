import type { Letter, Outbox } from "./outbox.ts";
import type { Receiver, SendResult } from "./send.ts";

/** After each failed attempt so long until the next; after the last it is given up. About forty minutes in all. */
const BACKOFF_MS: readonly number[] = [2_000, 10_000, 30_000, 120_000, 300_000, 600_000, 1_200_000];
const LOOK_MS = 1_000;
/** Later it is no news. */
const DAY_MS = 86_400_000;

export type DeliveryParts = {
  readonly outbox: Outbox;
  /** Undefined where this process may not or cannot send it; `gone` where nobody wants it any more. */
  receiverOf(letter: Letter): Promise<Receiver | "gone" | undefined>;
  send(receiver: Receiver, notice: Letter["notice"], id: string): Promise<SendResult>;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  readonly backoffMs?: readonly number[];
};

/** The same for every attempt: by it a receiver knows a repeat. */
export function letterId({ run, seq, target }: Pick<Letter, "run" | "seq" | "target">): string {
  return `${run}.${seq}.${target}`;
}

/** Sends what is due until nothing is left that this process can send. A slow receiver holds up only itself. */
export async function deliverAll(parts: DeliveryParts): Promise<void> {
  const { outbox, now, sleep } = parts;
  if (!outbox.enter()) return;
  const busy = new Map<string, Promise<void>>();
  const notOurs = new Set<string>();
  for (;;) {
    const open = outbox.open().filter((letter) => !notOurs.has(letterId(letter)));
    if (open.length === 0 && busy.size === 0 && outbox.leave((letter) => !notOurs.has(letterId(letter)))) return;
    for (const letter of firstOfEach(open, now())) {
      if (busy.has(letter.target)) continue;
      const delivered = deliver(parts, letter).then((isOurs) => {
        if (!isOurs) notOurs.add(letterId(letter));
      });
      busy.set(
        letter.target,
        delivered.finally(() => busy.delete(letter.target)),
      );
    }
    const woken = new AbortController();
    await Promise.race([...busy.values(), sleep(LOOK_MS, woken.signal)]);
    woken.abort();
    if (!outbox.stay()) return;
  }
}

/** In the order in which it happened, one at a time for each receiver; one that waits lets later ones pass. */
function firstOfEach(open: readonly Letter[], now: number): readonly Letter[] {
  const due = open.filter(({ held, dueAt }) => !held && dueAt <= now);
  return [...new Map(due.toReversed().map((letter) => [letter.target, letter])).values()];
}

/** False where it is for another process to send. */
async function deliver(parts: DeliveryParts, seen: Letter): Promise<boolean> {
  const { outbox, now } = parts;
  const receiver = await parts.receiverOf(seen);
  const isLate = now() - seen.notice.at > DAY_MS;
  if (receiver === undefined && !isLate) return false;
  const letter = outbox.claim(seen);
  if (!letter) return true;
  if (isLate) outbox.settle(letter, { state: "failed", says: "it could not be sent within a day" });
  else if (receiver === "gone") outbox.settle(letter, { state: "failed", says: "no longer configured" });
  else if (receiver) await attempt(parts, letter, receiver);
  return true;
}

async function attempt(parts: DeliveryParts, letter: Letter, receiver: Receiver): Promise<void> {
  const { outbox, send, now, backoffMs = BACKOFF_MS } = parts;
  const result = await send(receiver, letter.notice, letterId(letter));
  if (result.is === "delivered") return outbox.settle(letter, { state: "sent", says: result.says });
  const pause = backoffMs[letter.attempts - 1];
  const says = `${result.says}, after ${letter.attempts} ${letter.attempts === 1 ? "attempt" : "attempts"}`;
  if (result.is === "refused" || pause === undefined) return outbox.settle(letter, { state: "failed", says });
  outbox.postpone(letter, now() + Math.max(pause, result.againAfterMs ?? 0), says);
}
