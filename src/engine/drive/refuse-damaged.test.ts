import { expect, test } from "vitest";
import { z } from "zod";
import { quickWorld, type Stage, stage } from "../../../test/support/stage.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createMemoryHost } from "../../hosts/memory/host.ts";
import { createMemoryStore } from "../../hosts/memory/store.ts";

const asking = definePipeline(
  {
    name: "asking",
    about: "it",
    version: 1,
    input: z.unknown(),
    dialect: "json",
    phases: [{ title: "A" }],
    cap: 1,
  },
  async ({ phase, ask }) => {
    phase("A");
    await ask({ title: "Go on?", show: 1, choices: ["yes"], auto: "never" });
    return { status: "done" };
  },
);

type Waiting = Stage & { change(how: (records: readonly JournalRecord[]) => readonly JournalRecord[]): void };

async function waiting(): Promise<Waiting> {
  const store = createMemoryStore();
  const s = await stage({ pipeline: asking, host: createMemoryHost({ world: quickWorld(), store }) });
  expect(await s.drive()).toMatchObject({ status: "waiting" });
  return {
    ...s,
    change(how) {
      const texts = store.journal[s.run] ?? [];
      const records = texts.map((text) => JSON.parse(text) as JournalRecord); // as the engine stored it
      texts.splice(0, texts.length, ...how(records).map((record) => JSON.stringify(record)));
    },
  };
}

async function refused(s: Waiting, message: string): Promise<void> {
  const before = [await s.records(), await s.host.runs.get(s.run)];
  await expect(s.drive()).rejects.toMatchObject({
    code: "JOURNAL_DAMAGED",
    message: expect.stringContaining(message),
  });
  expect([await s.records(), await s.host.runs.get(s.run)]).toEqual([before[0], { ...before[1], fence: 2 }]);
}

test("an answer forged into the journal with a copied hash does not resume the run", async () => {
  const s = await waiting();
  s.change((records) => {
    const asked = records.find((record) => record.type === "approval.requested");
    const last = records.at(-1);
    if (!asked || !last) throw new Error("nobody was asked");
    const { key, approval, hash } = asked;
    const { v, ts, run, chain } = last;
    const decided = { type: "approval.decided", key, approval, choice: "yes", by: "ada", hash } as const;
    return [...records, { ...decided, v, ts, run, chain, seq: last.seq + 1 }];
  });
  const last = (await s.records()).at(-1)?.seq;
  await refused(s, `record ${last} (approval.decided) does not match its hash`);
});

test("a record that was changed in its place is named, and so is one that is gone", async () => {
  const changed = await waiting();
  changed.change(([first, ...rest]) => [{ ...first, minConfidence: "low" } as JournalRecord, ...rest]);
  await refused(changed, "record 1 (run.started) does not match its hash");
  const gone = await waiting();
  gone.change((records) => records.filter(({ seq }) => seq !== 2));
  await refused(gone, "record 2 is missing");
});

test("an unchanged journal is driven", async () => {
  const s = await waiting();
  const asked = (await s.records()).find((record) => record.type === "approval.requested");
  const { approval = "", hash = "" } = asked ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "yes", by: "ada" });
  expect(await s.drive()).toMatchObject({ status: "done" });
});
