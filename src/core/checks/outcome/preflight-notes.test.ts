import { expect, test } from "vitest";
import { createPreflightNotes } from "./preflight-notes.ts";

const RUN = { phase: "baseline", passed: true, exitCode: 0, snippet: "" } as const;
const RED = { ...RUN, passed: false, exitCode: 1, snippet: "broken" } as const;
const FIVE = { total: 5, passed: 5, failed: 0, skipped: 0, source: "tap", asked: true } as const;

test("a red check without test names is reported before the work, with its consequence", () => {
  const notes = createPreflightNotes([
    { ...RED, check: "old" },
    { ...RUN, check: "test", tests: FIVE },
  ]);
  expect(notes).toEqual([
    {
      says: "old is red before the work and reports no test names, so old and new failures cannot be distinguished",
      cure: "fix it first, or make it report test names; otherwise you are asked before a commit",
    },
  ]);
});

test("a red check with test names lists them, and they do not count against the work", () => {
  const tests = { ...FIVE, passed: 4, failed: 1, failing: ["t › a"] };
  const [note, ...more] = createPreflightNotes([{ ...RED, check: "test", tests }]);
  expect(note).toMatchObject({ says: "test is red before the work: t › a" });
  expect(more).toEqual([]);
});

test("checks without any reported test are one note", () => {
  const [note] = createPreflightNotes([
    { ...RUN, check: "lint" },
    { ...RUN, check: "build", tests: { ...FIVE, total: 0, passed: 0 } },
  ]);
  expect(note?.says).toBe("no check reported a test: lint, build ran, but no test of the code's behaviour was seen");
});

test("green checks with tests, and those that could not run, need no note", () => {
  expect(createPreflightNotes([{ ...RUN, check: "test", tests: FIVE }])).toEqual([]);
  expect(createPreflightNotes([{ ...RED, check: "test", outcome: "not-run", notRun: "not found" }])).toEqual([]);
});
