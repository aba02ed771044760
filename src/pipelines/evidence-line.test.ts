import { expect, test } from "vitest";
import type { Check } from "../core/authoring/verbs.ts";
import { describeFailedCheck, formatEvidence } from "./evidence-line.ts";

const check = (name: string, outcome: Check["outcome"], more: Partial<Check> = {}): Check => ({
  name,
  outcome,
  passed: outcome === "passed",
  exitCode: outcome === "not-run" ? null : 1,
  snippet: "",
  ...more,
});

test("every check is listed with its outcome", () => {
  const checks = [check("build", "passed", { proves: true }), check("test", "red-before"), check("e2e", "flaky")];
  expect(formatEvidence({ checks })).toBe("build passed, test red as before, e2e flaky");
});

test("the engine's own checks are described by their meaning, not by their names", () => {
  const own = ["scope", "tamper", "parses"].map((name) => check(name, "passed"));
  expect(formatEvidence({ checks: [check("test", "passed"), ...own] })).toBe(
    "test passed, only declared files changed, no test or setting weakened, every changed file parses",
  );
  expect(formatEvidence({ checks: [check("test", "passed"), check("tamper", "failed")] })).toBe(
    "test passed, a test or setting weakened",
  );
  const because = "the old tests pass on the new code; t.js has 1 assertion fewer than before";
  expect(formatEvidence({ checks: [check("test", "passed"), check("tamper", "passed", { because })] })).toBe(
    `test passed, ${because}`,
  );
  expect(formatEvidence({ checks: [check("test", "passed"), check("parses", "not-run")] })).toContain(
    "parses could not be run",
  );
});

const UNPROVEN = "; no command of the project has shown that this tree works";

test.each([
  ["there are no checks", [], "no checks"],
  ["no command could be run", [check("test", "not-run")], "test could not be run"],
  ["only the engine's own checks passed", [check("scope", "passed")], "only declared files changed"],
  ["a command was red before and names no tests", [check("test", "red-before")], "test red as before"],
] as const)("[A-02] where %s, the line says that nothing was proven", (_when, checks, seen) => {
  expect(formatEvidence({ checks })).toBe(`${seen}${UNPROVEN}`);
});

test("a command that is red only in tests that failed before proves something", () => {
  expect(formatEvidence({ checks: [check("test", "red-before", { proves: true })] })).toBe("test red as before");
});

test("[A-20] a failed check has its reason first, then its output, and a check that did not run is not called red", () => {
  const because = "test passed on the baseline and fails now: t.js › a";
  const told = describeFailedCheck(check("test", "regression", { because, snippet: "at a.js:3\n" }));
  expect(told).toEqual({ message: `${because}\nat a.js:3` });
  expect(describeFailedCheck(check("test", "not-run"))).toEqual({ message: "test could not be run" });
  const output = "AssertionError: 3 !== 4\nat a.js:3";
  const whole = describeFailedCheck(
    check("test", "regression", { because, snippet: "at a.js:3", output, failing: ["t.js › a"] }),
  );
  expect(whole).toEqual({ message: because, output, tests: ["t.js › a"] });
});
