import { expect, test } from "vitest";
import {
  explainCheck,
  formatPassingTests,
  formatTestCounts,
  getOutcomeWord,
  type RecordedRun,
} from "./explain-check.ts";

const RED: RecordedRun = {
  phase: "after",
  passed: false,
  outcome: "failed",
  exitCode: 1,
  snippet: "a\nlast words\n\n",
};
const tests = { total: 6, passed: 2, failed: 4, skipped: 0, source: "junit" };

test("a pass has no reason, and a check that did not run has one", () => {
  expect(explainCheck({ ...RED, passed: true, outcome: "passed", exitCode: 0 })).toBe("");
  expect(explainCheck({ ...RED, outcome: "not-run", exitCode: 127, notRun: "sh: 1: xo: not found" })).toBe(
    "sh: 1: xo: not found",
  );
});

test("[A-20] a started check that judged nothing has a reason, even if none was recorded", () => {
  const lost: RecordedRun = { ...RED, outcome: "not-run", exitCode: 0 };
  expect(explainCheck(lost)).toBe("it counted tests on the baseline and counts none now");
  expect(explainCheck({ ...lost, tests: { ...tests, total: 0, failed: 0 } })).toBe("it ran no test at all");
  expect(explainCheck({ ...lost, exitCode: null })).toBe("it was stopped before it ended");
});

test("a run that proves nothing states that before its output", () => {
  expect(explainCheck({ ...RED, outcome: "flaky" })).toBe("the same tree gave different results: last words");
  expect(explainCheck({ ...RED, outcome: "red-before" })).toBe("it reports no test names: last words");
  expect(explainCheck({ ...RED, outcome: "red-before", tests: { ...tests, failing: ["a"] } })).toBe("a");
});

test("names of failing tests come before the last words, three of them and how many more", () => {
  expect(explainCheck(RED)).toBe("last words");
  expect(explainCheck({ ...RED, tests: { ...tests, failing: ["a", "b", "c", "d"] } })).toBe("a; b; c and 1 more");
});

test.each([
  'error: script "check" exited with code 1\nerror: script "test" exited with code 1',
  " ELIFECYCLE  Command failed with exit code 1.",
  "error Command failed with exit code 1.\ninfo Visit https://yarnpkg.com/en/docs/cli/run for documentation",
  "npm error Lifecycle script `test` failed with error:\nnpm error code 1",
  "The command failed in workspace a@workspace:packages/a with exit code 1\nFailed with errors in 1s 20ms",
  "make: *** [Makefile:3: test] Error 1",
])("who only passes on that it failed has not the last word: %j", (echo) => {
  expect(explainCheck({ ...RED, snippet: `a\nlast words\n\n${echo}\n` })).toBe("last words");
});

test("of a compiler's explanation its headline is the reason", () => {
  const snippet = [
    "error[E0382]: borrow of moved value: `a`",
    " --> tests/order.rs:9:5",
    "  | value borrowed here after move",
    "For more information about this error, try `rustc --explain E0382`.",
    'error: could not compile `a` (test "order") due to 1 previous error',
    "warning: build failed, waiting for other jobs to finish...",
  ].join("\n");
  expect(explainCheck({ ...RED, snippet })).toBe("error[E0382]: borrow of moved value: `a`");
});

test("the missing evidence is the reason if there is no other", () => {
  expect(explainCheck({ ...RED, snippet: "make: *** [all] Error 1\n" })).toBe("make: *** [all] Error 1");
});

test("an exit code of 0 despite failed tests is reported", () => {
  expect(explainCheck({ ...RED, exitCode: 0, tests: { ...tests, failing: ["a"] } })).toBe(
    "exit 0 although 4 tests failed: a",
  );
});

test("older records have an outcome word too, and counts are formatted in one way", () => {
  expect([getOutcomeWord({ passed: true }), getOutcomeWord({ passed: false })]).toEqual(["passed", "failed"]);
  expect([
    formatTestCounts(undefined),
    formatTestCounts(tests),
    formatTestCounts({ ...tests, total: 1, passed: 1, failed: 0 }),
  ]).toEqual(["", "4 of 6 tests failed", "1 test"]);
  expect(formatPassingTests(tests)).toBe("2 of 6 tests");
});

test("a line that names the failure comes before the time and the version that a program ends with", () => {
  const because = (snippet: string) => explainCheck({ ...RED, snippet });
  expect(because("not ok 2 - adds\n# pass 1\nDuration: 28.80ms")).toBe("not ok 2 - adds");
  expect(because("AssertionError [ERR_ASSERTION]: 1 != 2\n    at t.js:3\nNode.js v24.21.0")).toContain("1 != 2");
  expect(because("ok 1 - adds\nDuration: 28.80ms")).toBe("Duration: 28.80ms");
});
