import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { quickWorld } from "../../../../test/support/stage.ts";
import type { Host, StampedRecord } from "../../../core/ports/host.ts";
import { createRecorder } from "../../../engine/drive/recorder.ts";
import { createMemoryHost } from "../../../hosts/memory/host.ts";
import { anchorPendingEnds, createPendingEnds, notePendingEnds, type PendingEnds } from "./pending-ends.ts";

const RUN = "run-1";

/** A worker's clone with the team's store. `killed` simulates a worker that dies at that moment. */
async function scene() {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-ends-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const world = quickWorld();
  const host = createMemoryHost({ world });
  await host.runs.create({ id: RUN, pipeline: "p", repo: "r" });
  const claimed = await host.runs.claim(RUN, "worker");
  if (!claimed.won) throw new Error("nobody else is there");
  const { lease } = claimed;
  const ends = createPendingEnds(folder);
  const record = async (to: Host): Promise<StampedRecord> => {
    const recorder = createRecorder({ host: to, world, lease, last: { seq: 0, chain: "" }, onFailure: () => {} });
    const end = recorder.record({ type: "run.finished", status: "done", exit: 0 });
    await recorder.durable();
    return end;
  };
  return { world, host, ends, record };
}

async function nextWorker({
  world,
  host,
  ends,
}: {
  world: ReturnType<typeof quickWorld>;
  host: Host;
  ends: PendingEnds;
}) {
  const anchors: string[] = [];
  const workspace = { anchor: async ({ chain }: { readonly chain: string }) => void anchors.push(chain) };
  await anchorPendingEnds({ ends, host, workspace, world, log: () => {} }, new AbortController().signal);
  return anchors;
}

test("an end whose worker is killed right after storing it is anchored by the next worker of the clone", async () => {
  const at = await scene();
  const end = await at.record(notePendingEnds(at.host, at.ends));
  expect(await nextWorker(at)).toEqual([`${end.seq}:${end.chain}`]);
  expect(await at.ends.all()).toEqual([]);
});

test("an end that was noted but never stored is forgotten without an anchor", async () => {
  const at = await scene();
  const killed: Host["journal"]["append"] = () => new Promise(() => {});
  const dying = { ...at.host, journal: { ...at.host.journal, append: killed } };
  void at.record(notePendingEnds(dying, at.ends));
  await expect.poll(() => at.ends.all()).toHaveLength(1);
  expect(await nextWorker(at)).toEqual([]);
  expect(await at.ends.all()).toEqual([]);
});

test("an end written by somebody else is not anchored", async () => {
  const at = await scene();
  await at.ends.note({ run: RUN, chain: "1:another" });
  await at.record(at.host);
  expect(await nextWorker(at)).toEqual([]);
});

test("only ends are noted", async () => {
  const at = await scene();
  const stored: string[] = [];
  const append: Host["journal"]["append"] = async (_lease, records) =>
    void stored.push(...records.map(({ type }) => type));
  const { journal } = notePendingEnds({ journal: { ...at.host.journal, append } }, at.ends);
  const body = { type: "run.resumed", by: "ada", v: 1, seq: 1, ts: 0, run: RUN, chain: "c" } as const;
  await journal.append({ run: RUN, owner: "worker", fence: 1 }, [body]);
  expect(stored).toEqual(["run.resumed"]);
  expect(await at.ends.all()).toEqual([]);
});
