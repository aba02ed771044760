import { expect, test } from "vitest";
import { readOnThread } from "./reading.ts";

/** Long enough for a thread of its own. */
const LONG = 1_000_000;

const change = (after: string) => ({
  changes: [{ path: ".github/workflows/ci.yml", status: "modified", before: "on: push\n", after } as const],
  protectedPaths: [],
});

test("[H-01] a workflow that stands for itself is a finding, and the thread that asks stays free", async () => {
  const reading = await readOnThread({ name: "changes", question: change("&a [*a,*a]"), chars: LONG });
  expect(reading).toMatchObject({
    answer: { guarded: [{ message: expect.stringContaining("cannot be judged"), severity: "critical" }] },
  });
});

test("an endless reading is stopped, and the next one runs", async () => {
  let beats = 0;
  const pulse = setInterval(() => beats++, 5);
  expect(await readOnThread({ name: "endless", question: undefined, chars: LONG, mostMs: 200 })).toEqual({
    over: "time",
  });
  clearInterval(pulse);
  expect(beats).toBeGreaterThan(3);
  expect(await readOnThread({ name: "askedReport", question: "", chars: LONG })).toMatchObject({
    answer: { problem: expect.stringContaining("not a report") },
  });
});

test("a stopped caller does not wait for a reading", async () => {
  const stop = new AbortController();
  const reading = readOnThread({ name: "endless", question: undefined, chars: LONG, signal: stop.signal });
  stop.abort();
  expect(await reading).toEqual({ over: "canceled" });
});
