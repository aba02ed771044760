import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DeliveryOptions, deliverAll } from "./deliver.ts";
import type { Notice } from "./notice.ts";
import { type Outbox, openOutbox } from "./outbox.ts";
import type { SendResult } from "./send.ts";

const home = { dir: "", now: 1_000 };
const dead = new Set<string>();
const boxes: Outbox[] = [];

beforeEach(() => {
  home.dir = mkdtempSync(join(tmpdir(), "signalbox-outbox-"));
  home.now = 1_000;
  dead.clear();
});
afterEach(() => {
  for (const box of boxes.splice(0)) box.close();
  rmSync(home.dir, { recursive: true, force: true });
});

function boxOf(owner: string): Outbox {
  const box = openOutbox({
    file: join(home.dir, "notices.db"),
    owner,
    now: () => home.now,
    isDead: (who) => dead.has(who),
  });
  boxes.push(box);
  return box;
}

const notice = (seq: number, at = home.now): Notice => ({
  event: "waiting",
  run: "r",
  seq,
  at,
  pipeline: "p",
  repository: "here",
  needs: "an answer",
  title: "t",
  because: "b",
  next: [],
});
const everything = { id: "t", wants: () => true };

describe("the outbox", () => {
  it("stores one delivery per run, record and receiver, however often it is posted", () => {
    const box = boxOf("a");
    expect(box.post([notice(1), notice(2)], [everything, { id: "u", wants: ({ seq }) => seq === 2 }])).toBe(3);
    expect(boxOf("b").post([notice(1), notice(2)], [everything])).toBe(0);
    expect(box.open().map(({ seq, target }) => `${seq}${target}`)).toEqual(["1t", "2t", "2u"]);
  });

  it("has nothing for a receiver that is newer than the notice", () => {
    const box = boxOf("a");
    expect(box.post([notice(1, 999)], [everything])).toBe(0);
    home.now = 5_000;
    expect(box.post([notice(1, 999), notice(2, 1_000)], [everything])).toBe(1);
  });

  it("assigns a delivery to one sender, and to another only if that one is dead or silent for a minute", () => {
    const [a, b] = [boxOf("a"), boxOf("b")];
    a.post([notice(1)], [everything]);
    const [seen] = b.open();
    const [letter] = a.open();
    if (!letter || !seen) throw new Error("nothing was posted");
    const claimed = a.claim(letter);
    expect(claimed).toMatchObject({ fence: 1, attempts: 1 });
    expect(b.claim(seen)).toBeUndefined();
    expect(b.open()).toMatchObject([{ held: true }]);
    dead.add("a");
    expect(b.open()).toMatchObject([{ held: false }]);
    dead.clear();
    home.now += 60_001;
    const [free] = b.open();
    const taken = free && b.claim(free);
    expect(taken).toMatchObject({ fence: 2, attempts: 2 });
    // A sender that continues too late settles nothing.
    if (claimed) a.settle(claimed, { state: "failed", says: "late" });
    expect(b.counts()).toEqual({ open: 1, sent: 0, failed: 0 });
    if (taken) b.settle(taken, { state: "sent", says: "HTTP 200" });
    expect(b.counts()).toEqual({ open: 0, sent: 1, failed: 0 });
  });

  it("lists the runs whose engine died without unregistering", () => {
    boxOf("a").follow("r1");
    const b = boxOf("b");
    b.follow("r2");
    expect(b.abandoned()).toEqual([]);
    dead.add("a");
    expect(b.abandoned()).toEqual(["r1"]);
    b.unfollow("r1");
    b.unfollow("r2");
    expect(b.abandoned()).toEqual([]);
  });

  it("admits one sender, and lets it leave only if no delivery for it has arrived", () => {
    const [a, b] = [boxOf("a"), boxOf("b")];
    expect([a.enter(), b.enter()]).toEqual([true, false]);
    b.post([notice(1)], [everything]);
    expect(b.hasSender()).toBe(true);
    expect(a.leave(() => true)).toBe(false);
    expect(a.leave(() => false)).toBe(true);
    expect(b.hasSender()).toBe(false);
    expect(b.enter()).toBe(true);
  });
});

describe("a delivery", () => {
  const receiver = { kind: "json", url: "https://x.example", secret: undefined } as const;
  /** The clock advances by each sleep. */
  const partsOf = (outbox: Outbox, results: readonly SendResult[], more: Partial<DeliveryOptions> = {}) => {
    const sentAt: number[] = [];
    const parts: DeliveryOptions = {
      outbox,
      receiverOf: async () => receiver,
      send: async () => {
        sentAt.push(home.now);
        return results[sentAt.length - 1] ?? { is: "unreached", says: "ECONNREFUSED" };
      },
      now: () => home.now,
      sleep: async (ms) => {
        // Resolves after pending work, because a sleep is longer than any answer here.
        await new Promise((later) => setImmediate(later));
        home.now += ms;
      },
      backoffMs: [2_000, 10_000],
      ...more,
    };
    return { parts, sentAt };
  };

  it("is retried after growing pauses and given up after the last", async () => {
    const box = boxOf("a");
    box.post([notice(1)], [everything]);
    const { parts, sentAt } = partsOf(box, []);
    await deliverAll(parts);
    expect(sentAt).toHaveLength(3);
    expect((sentAt[1] ?? 0) - (sentAt[0] ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect((sentAt[2] ?? 0) - (sentAt[1] ?? 0)).toBeGreaterThanOrEqual(10_000);
    expect(box.counts()).toEqual({ open: 0, sent: 0, failed: 1 });
    expect(box.failures()).toEqual([{ target: "t", says: "ECONNREFUSED, after 3 attempts" }]);
  });

  it("ends with the first response that is no temporary failure", async () => {
    const box = boxOf("a");
    box.post([notice(1)], [everything]);
    const { parts, sentAt } = partsOf(box, [{ is: "refused", says: "HTTP 404" }]);
    await deliverAll(parts);
    expect([sentAt.length, box.counts().failed]).toEqual([1, 1]);
  });

  it("waits as long as the receiver requests", async () => {
    const box = boxOf("a");
    box.post([notice(1)], [everything]);
    const busy: SendResult = { is: "unreached", says: "HTTP 429", againAfterMs: 60_000 };
    const { parts, sentAt } = partsOf(box, [busy, { is: "delivered", says: "HTTP 200" }]);
    await deliverAll(parts);
    expect((sentAt[1] ?? 0) - (sentAt[0] ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect(box.counts().sent).toBe(1);
  });

  it("skips what this process may not send, and drops what is no longer configured", async () => {
    const box = boxOf("a");
    box.post([notice(1)], [everything, { id: "gone", wants: () => true }]);
    const { parts } = partsOf(box, [], { receiverOf: async ({ target }) => (target === "gone" ? "gone" : undefined) });
    await deliverAll(parts);
    expect(box.counts()).toEqual({ open: 1, sent: 0, failed: 1 });
    expect(box.hasSender()).toBe(false);
    home.now += 86_400_001;
    await deliverAll(parts);
    expect(box.failures()[0]).toEqual({ target: "t", says: "not sent within a day" });
  });
});
