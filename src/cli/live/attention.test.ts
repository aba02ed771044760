import { expect, test } from "vitest";
import type { JournalRecord } from "../../core/journal/record.ts";
import { ATTENTION, createAttention } from "./attention.ts";

function heardBy(terms = ATTENTION, approvals = "interactive") {
  let written = "";
  const attention = createAttention((text) => {
    written += text;
  }, terms);
  // Of each record only what is read here.
  const hear = (record: object) => attention.heard(record as JournalRecord);
  hear({ type: "run.started", approvals });
  return { hear, close: attention.close, written: () => written };
}

const asked = { type: "approval.requested", approval: "a-1", title: "Approve\u001b]0;evil\u0007 it?", auto: "keep" };

test("a question stands in the title until it is answered, and nothing rings", () => {
  const { hear, written } = heardBy();
  hear(asked);
  expect(written()).toBe("\u001b[22;0t\u001b]0;◆ waiting: Approve it?\u0007");
  hear({ type: "approval.decided", approval: "a-1" });
  expect(written().endsWith("\u0007\u001b]0;\u0007\u001b[23;0t")).toBe(true);
});

test("who wants a bell hears it once for each question", () => {
  const { hear, written } = heardBy({ bell: true, title: false });
  hear(asked);
  expect(written()).toBe("\u0007");
});

test("a question that answers itself calls nobody", () => {
  const { hear, close, written } = heardBy({ bell: true, title: true }, "autonomous");
  hear(asked);
  close();
  expect(written()).toBe("");
});

test("a title does not outlive the program", () => {
  const { hear, close, written } = heardBy();
  hear(asked);
  close();
  expect(written().endsWith("\u001b]0;\u0007\u001b[23;0t")).toBe(true);
});
