import { expect, test } from "vitest";
import type { OpenApproval } from "../questions.ts";
import { choicesOf } from "./choices.ts";

const asked = (more: Partial<OpenApproval>): OpenApproval => ({
  ...{ v: 1, seq: 1, ts: 0, run: "r", chain: "", type: "approval.requested", key: "k", approval: "a", hash: "h" },
  ...{ title: "Go on?", show: null, choices: ["approve", "revise", "abort"], auto: "never", revises: "revise" },
  ...more,
});

test("a choice says where it leads, in the question's own words where it has some", () => {
  expect(choicesOf(asked({ leads: { approve: "the work begins" } }))).toEqual([
    { name: "approve", leadsTo: "the work begins", needsWords: false },
    { name: "revise", leadsTo: "goes back with your note", needsWords: true },
    { name: "abort", leadsTo: "it ends here", needsWords: false },
  ]);
});

test("a pause leads on, and a choice called like a part of every object leads on too", () => {
  expect(choicesOf(asked({ pause: true, choices: ["resume"] }))).toMatchObject([{ leadsTo: "the run goes on" }]);
  expect(choicesOf(asked({ leads: {}, choices: ["toString"] }))).toMatchObject([{ leadsTo: "the run goes on" }]);
});
