import { expect, test } from "vitest";
import type { JournalRecord } from "../../core/journal/record.ts";
import { ATTENTION, createAttention } from "./attention.ts";

function heardBy(terms = ATTENTION, approvals = "interactive") {
  let written = "";
  const attention = createAttention((text) => {
    written += text;
  }, terms);
  // The records have only the fields that are read here.
  const hear = (record: object) => attention.heard(record as JournalRecord);
  hear({ type: "run.started", approvals });
  return { hear, close: attention.close, written: () => written };
}

const asked = { type: "approval.requested", approval: "a-1", title: "Approve\u001b]0;evil\u0007 it?", auto: "keep" };

test("an open question is shown in the title until it is answered, without a bell", () => {
  const { hear, written } = heardBy();
  hear(asked);
  expect(written()).toBe("\u001b[22;0t\u001b]0;◆ waiting: Approve it?\u0007");
  hear({ type: "approval.decided", approval: "a-1" });
  expect(written().endsWith("\u0007\u001b]0;\u0007\u001b[23;0t")).toBe(true);
});

test("with the bell enabled, it rings once per question", () => {
  const { hear, written } = heardBy({ bell: true, title: false });
  hear(asked);
  expect(written()).toBe("\u0007");
});

test("a question that is answered automatically causes no notification", () => {
  const { hear, close, written } = heardBy({ bell: true, title: true }, "autonomous");
  hear(asked);
  close();
  expect(written()).toBe("");
});

test("the title is restored when the program exits", () => {
  const { hear, close, written } = heardBy();
  hear(asked);
  close();
  expect(written().endsWith("\u001b]0;\u0007\u001b[23;0t")).toBe(true);
});
