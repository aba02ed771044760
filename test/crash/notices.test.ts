import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { getOwnerName, isOwnerDead } from "../../src/hosts/sqlite/owner.ts";
import type { Notice } from "../../src/surfaces/webhooks/notice.ts";
import { openOutbox } from "../../src/surfaces/webhooks/outbox.ts";
import { type ReceiverServer, receiverServer } from "../support/receiver.ts";

const SENDER = fileURLToPath(new URL("./mortal-sender.ts", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "signalbox-notices-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const createNotice = (seq: number): Notice => ({
  event: "waiting",
  run: "r1",
  seq,
  at: Date.now() + 1_000,
  pipeline: "task",
  repository: "here",
  needs: "a person's answer",
  title: `question ${seq}`,
  because: "asked in 1 Plan",
  next: ["signalbox inbox a-1"],
});

const createOutbox = (file: string) => openOutbox({ file, owner: getOwnerName(), now: Date.now, isDead: isOwnerDead });

/** Starts the sender asynchronously, because the receiver lives in this process. */
async function startSender(
  file: string,
  server: ReceiverServer,
  dies: number,
): Promise<{ died: boolean; out: string }> {
  const child = spawn(process.execPath, [SENDER, file, server.url, String(dies)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  const signal = await new Promise((ended) => child.once("close", (_code, by) => ended(by)));
  return { died: signal === "SIGKILL", out };
}

test("a sender killed before any of its steps loses no notice, and a receiver that drops duplicates gets each notice once", async () => {
  const server = await receiverServer();
  const repeats: number[] = [];
  try {
    for (let dies = 1; ; dies += 1) {
      const file = join(home, `${dies}.db`);
      const outbox = createOutbox(file);
      const posted = outbox.post([createNotice(4), createNotice(9)], [{ id: "t", wants: () => true }]);
      expect(posted).toBe(2);
      const before = server.received.length;
      const first = await startSender(file, server, dies);
      if (first.died) await startSender(file, server, 0);
      const heard = server.received.slice(before).map(({ id }) => id);
      expect(new Set(heard), `killed before step ${dies}`).toEqual(new Set(["r1.4.t", "r1.9.t"]));
      // Only a notice that was sent and not yet settled can repeat, and with the same text.
      expect(heard.length).toBeLessThanOrEqual(3);
      if (heard.length === 3) repeats.push(dies);
      const bodies = server.received.slice(before).map(({ id, body }) => `${id} ${body}`);
      expect(new Set(bodies).size).toBe(2);
      expect(outbox.counts()).toEqual({ open: 0, sent: 2, failed: 0 });
      expect(outbox.hasSender()).toBe(false);
      outbox.close();
      if (!first.died) break;
    }
  } finally {
    await server.close();
  }
  // Between the answer and its record, for each of the two: before the result is stored, and before it is settled.
  expect(repeats).toHaveLength(4);
});
