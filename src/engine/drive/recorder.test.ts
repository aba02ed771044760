import { expect, test } from "vitest";
import { quickWorld } from "../../../test/support/stage.ts";
import type { Host, StampedRecord } from "../../core/ports/host.ts";
import { createMemoryHost } from "../../hosts/memory/host.ts";
import { createRecorder } from "./recorder.ts";

const claim = { run: "run-1", owner: "engine", fence: 1 };

/** What is stored once `durable` resolves, when a record comes so many microtasks after an append was stored. */
async function storedAfter(microtasks: number): Promise<readonly string[]> {
  const stored: StampedRecord[] = [];
  let onStored = () => {};
  const append: Host["journal"]["append"] = async (_claim, records) => {
    stored.push(...records);
    onStored();
  };
  const world = quickWorld();
  const real = createMemoryHost({ world });
  const host = { ...real, journal: { ...real.journal, append } };
  const last = { seq: 0, chain: "" };
  const recorder = createRecorder({ host, world, lease: claim, last, onFailure: () => {} });
  const second = new Promise<void>((resolve, reject) => {
    onStored = async () => {
      onStored = () => {};
      for (let left = microtasks; left > 0; left -= 1) await undefined;
      recorder.record({ type: "run.resumed", by: "second" });
      recorder.durable().then(resolve, reject);
    };
  });
  recorder.record({ type: "run.resumed", by: "first" });
  await second;
  return stored.map((record) => (record.type === "run.resumed" ? record.by : ""));
}

test.each([0, 1, 2, 3, 4, 5, 6])(
  "a record that comes %i microtasks after a flush is stored too",
  async (microtasks) => {
    expect(await storedAfter(microtasks)).toEqual(["first", "second"]);
  },
);
