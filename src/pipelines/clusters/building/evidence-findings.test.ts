import { expect, test } from "vitest";
import type { Check, Evidence } from "../../../core/authoring/verbs.ts";
import { listNewFailures } from "./evidence-findings.ts";

const check = (name: string, more: Partial<Check> = {}): Check => {
  const passed = more.passed ?? true;
  return { name, passed, exitCode: passed ? 0 : 1, snippet: "", outcome: passed ? "passed" : "failed", ...more };
};
const seen = (...checks: readonly Check[]): Evidence => ({
  tree: "t",
  passed: checks.every(({ passed }) => passed),
  checks,
  regressions: [],
  tamper: [],
  findings: [],
  notRun: [],
});
const red = (name: string, failing?: readonly string[]): Check =>
  check(name, { passed: false, snippet: "expected 1", ...(failing && { failing }) });

test("a new failure is listed with its tests and its output", () => {
  expect(listNewFailures(seen(check("build"), check("test")), seen(check("build"), red("test", ["a › b"])))).toEqual([
    { severity: "major", message: "test is red", by: "test", tests: ["a › b"], output: "expected 1" },
  ]);
});

test("a check that failed before is not listed unless another test fails", () => {
  const before = seen(red("test", ["a"]), red("lint"));
  expect(listNewFailures(before, seen(red("test", ["a"]), red("lint")))).toEqual([]);
  expect(listNewFailures(before, seen(red("test", ["a", "b"]), red("lint")))).toMatchObject([{ by: "test" }]);
});
