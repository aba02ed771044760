import { expect, test } from "vitest";
import { formatEntryLine, omitDispatchFields, shortenAnswer } from "./short-answer.ts";

const answer = {
  by: "spec",
  status: "DONE",
  summary: "in short",
  artifact_evaluations: [],
  retried: [{ class: "contract", code: "contract_invalid", message: "no", last: "a refused draft" }],
  acceptance_criteria: [{ id: "AC-1", text: "it greets", test_method: "test" }],
  constraints: { memory: "1 GB" },
};

test("fields about the dispatch and rejected drafts are not forwarded", () => {
  expect(omitDispatchFields(answer)).toEqual({
    summary: "in short",
    acceptance_criteria: answer.acceptance_criteria,
    constraints: answer.constraints,
  });
});

test("lists are forwarded line by line, other fields unchanged, and a summary only if there is nothing else", () => {
  expect(shortenAnswer(answer)).toEqual({
    acceptance_criteria: ["AC-1: it greets; test_method: test"],
    constraints: { memory: "1 GB" },
  });
  expect(shortenAnswer({ status: "DONE", summary: "in short" })).toEqual({ summary: "in short" });
});

test.each([
  [{ id: "D-1", title: "one list", rationale: "shortest", risk: "🟢" }, "D-1: one list: shortest; risk: 🟢"],
  [{ path: "a.ts", description: "greets" }, "a.ts: greets"],
  [{ id: "F-1", title: "a fact", evidence: ["a.ts:1", "b.ts:2"] }, "F-1: a fact; evidence: a.ts:1, b.ts:2"],
  ["a text", "a text"],
  [
    { id: "X", inner: { deep: 1 } },
    { id: "X", inner: { deep: 1 } },
  ],
])("%j is forwarded as %j", (entry, line) => {
  expect(formatEntryLine(entry)).toEqual(line);
});
