import { expect, test } from "vitest";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createNoticeReader } from "./notice.ts";

const stamp = { v: 1, ts: 1, run: "r", chain: "c" } as const;
const reader = () => createNoticeReader({ repository: "shop", redact: (text) => text });
const paused = (reason: string): JournalRecord => ({
  ...stamp,
  type: "run.suspended",
  seq: 2,
  status: "paused",
  exit: 3,
  reason,
});

test("a pause by a person is reported as a suspension", () => {
  expect(reader().take(paused("paused by ana: lunch"))).toMatchObject({
    event: "suspended",
    title: "suspended: paused",
    because: "paused by ana: lunch",
    next: ["signalbox resume r"],
  });
});

test("a pause of a pipeline is reported when it is asked, and not again", () => {
  const { take } = reader();
  const asked = { title: "Look at it?", show: null, choices: ["continue"], auto: "never", hash: "h" };
  const event = take({
    ...stamp,
    ...asked,
    type: "approval.requested",
    seq: 1,
    key: "k",
    approval: "a-1",
    pause: true,
  });
  expect(event).toMatchObject({ event: "waiting" });
  expect(take(paused("it waits for a person"))).toBeUndefined();
});
