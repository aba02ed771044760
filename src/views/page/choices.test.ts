import { expect, test } from "vitest";
import type { OpenApproval } from "../questions.ts";
import { listChoices } from "./choices.ts";

const asked = (more: Partial<OpenApproval>): OpenApproval => ({
  ...{ v: 1, seq: 1, ts: 0, run: "r", chain: "", type: "approval.requested", key: "k", approval: "a", hash: "h" },
  ...{ title: "Go on?", show: null, choices: ["approve", "revise", "abort"], auto: "never", revises: "revise" },
  ...more,
});

test("a choice says where it leads, in the question's own words if it has some", () => {
  expect(listChoices(asked({ leads: { approve: "the work begins" } }))).toEqual([
    { name: "approve", leadsTo: "the work begins", needsWords: false, revises: false },
    { name: "revise", leadsTo: "returns the work with your note", needsWords: true, revises: true },
    { name: "abort", leadsTo: "the run ends here", needsWords: false, revises: false },
  ]);
});

test("a pause continues, and so does a choice named like an object property", () => {
  expect(listChoices(asked({ pause: true, choices: ["resume"] }))).toMatchObject([{ leadsTo: "the run continues" }]);
  expect(listChoices(asked({ leads: {}, choices: ["toString"] }))).toMatchObject([{ leadsTo: "the run continues" }]);
});
