import type { NoticeDelivery, Outbox } from "./outbox.ts";
import type { SendResult, WebhookReceiver } from "./send.ts";

/**
 * Delay after each failed attempt. After the last one the delivery is given up, about forty minutes after the first.
 */
const BACKOFF_MS: readonly number[] = [2_000, 10_000, 30_000, 120_000, 300_000, 600_000, 1_200_000];
const POLL_MS = 1_000;
/** Notices older than this are not sent. */
const DAY_MS = 86_400_000;

export type DeliveryOptions = {
  readonly outbox: Outbox;
  /**
   * Returns undefined if this process may not or cannot send the notice, and `gone` if the receiver is no longer
   * configured.
   */
  receiverOf(delivery: NoticeDelivery): Promise<WebhookReceiver | "gone" | undefined>;
  send(receiver: WebhookReceiver, notice: NoticeDelivery["notice"], id: string): Promise<SendResult>;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  readonly backoffMs?: readonly number[];
};

/** Returns an id that is the same for every attempt, so that a receiver can detect a repeat. */
export function toDeliveryId({ run, seq, target }: Pick<NoticeDelivery, "run" | "seq" | "target">): string {
  return `${run}.${seq}.${target}`;
}

/**
 * Sends all due notices until no notice remains that this process can send. A slow receiver delays only its own
 * notices.
 */
export async function deliverAll(parts: DeliveryOptions): Promise<void> {
  const { outbox, now, sleep } = parts;
  if (!outbox.enter()) return;
  const busy = new Map<string, Promise<void>>();
  const notOurs = new Set<string>();
  for (;;) {
    const open = outbox.open().filter((delivery) => !notOurs.has(toDeliveryId(delivery)));
    if (open.length === 0 && busy.size === 0 && outbox.leave((delivery) => !notOurs.has(toDeliveryId(delivery))))
      return;
    for (const delivery of selectFirstPerTarget(open, now())) {
      if (busy.has(delivery.target)) continue;
      const delivered = deliver(parts, delivery).then((isOurs) => {
        if (!isOurs) notOurs.add(toDeliveryId(delivery));
      });
      busy.set(
        delivery.target,
        delivered.finally(() => busy.delete(delivery.target)),
      );
    }
    const woken = new AbortController();
    await Promise.race([...busy.values(), sleep(POLL_MS, woken.signal)]);
    woken.abort();
    if (!outbox.stay()) return;
  }
}

/** Selects the oldest due notice of each receiver. A postponed notice does not block later ones. */
function selectFirstPerTarget(open: readonly NoticeDelivery[], now: number): readonly NoticeDelivery[] {
  const due = open.filter(({ held, dueAt }) => !held && dueAt <= now);
  return [...new Map(due.toReversed().map((delivery) => [delivery.target, delivery])).values()];
}

/** Returns false if another process has to send the notice. */
async function deliver(parts: DeliveryOptions, seen: NoticeDelivery): Promise<boolean> {
  const { outbox, now } = parts;
  const receiver = await parts.receiverOf(seen);
  const isLate = now() - seen.notice.at > DAY_MS;
  if (receiver === undefined && !isLate) return false;
  const delivery = outbox.claim(seen);
  if (!delivery) return true;
  if (isLate) outbox.settle(delivery, { state: "failed", says: "not sent within a day" });
  else if (receiver === "gone") outbox.settle(delivery, { state: "failed", says: "no longer configured" });
  else if (receiver) await attemptDelivery(parts, delivery, receiver);
  return true;
}

async function attemptDelivery(
  parts: DeliveryOptions,
  delivery: NoticeDelivery,
  receiver: WebhookReceiver,
): Promise<void> {
  const { outbox, send, now, backoffMs = BACKOFF_MS } = parts;
  const result = await send(receiver, delivery.notice, toDeliveryId(delivery));
  if (result.is === "delivered") return outbox.settle(delivery, { state: "sent", says: result.says });
  const pause = backoffMs[delivery.attempts - 1];
  const says = `${result.says}, after ${delivery.attempts} ${delivery.attempts === 1 ? "attempt" : "attempts"}`;
  if (result.is === "refused" || pause === undefined) return outbox.settle(delivery, { state: "failed", says });
  outbox.postpone(delivery, now() + Math.max(pause, result.againAfterMs ?? 0), says);
}
