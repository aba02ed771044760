import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readTestReport } from "../../core/checks/reports/test-report.ts";
import { renderJunitReport } from "./junit.ts";
import { problemsOfJUnit } from "./junit-schema.fixture.ts";
import { CHECK, HOSTILE, reportWith } from "./report.fixture.ts";

const XSD = fileURLToPath(new URL("./junit.xsd", import.meta.url));
const NAMES = {
  "a.test.js › adds": "passed",
  "a.test.js › group › subtracts": "failed",
  "b › later": "skipped",
} as const;
const counts = { total: 3, passed: 1, failed: 1, skipped: 1, source: "vitest", names: "n" };

test("every known test is a case, the failing one with its output, and every rule of a gate is one", () => {
  const text = renderJunitReport(
    reportWith([], [{ ...CHECK, tests: counts, excerpt: "expected 1" }]),
    new Map([["n", NAMES]]),
  );
  expect(problemsOfJUnit(text)).toEqual([]);
  expect(text).toContain('<testcase name="adds" classname="a.test.js" time="0.000"/>');
  expect(text).toMatch(/name="subtracts" classname="a\.test\.js › group"[^>]*><failure [^>]*>expected 1<\/failure>/);
  expect(text).toContain('<skipped message="skipped"/>');
  expect(text).toMatch(/<testsuite name="t1 › test" [^>]*tests="4" failures="2" errors="0" skipped="1" time="1.500">/);
  expect(text).toContain('<failure message="missed: found 0, needs 1" type="failure"/>');
  // Our own parser for JUnit reports counts the same cases: the command, two of its tests, and the rule.
  expect(readTestReport(text)).toMatchObject({ total: 5, passed: 1, failed: 3, skipped: 1 });
});

test("a check that was red before is no failure, and one that could not run is an error", () => {
  const before = renderJunitReport(
    reportWith([], [{ ...CHECK, outcome: "red-before", tests: counts }]),
    new Map([["n", NAMES]]),
  );
  expect(before).toMatch(/name="subtracts"[^>]*><skipped message="red before: failed on the baseline too"\/>/);
  const never = renderJunitReport(reportWith([], [{ ...CHECK, outcome: "not-run", notRun: "no vitest" }]));
  expect(never).toContain('<error message="not run: no vitest" type="error"/>');
});

test("an exam that did not need to run is one skipped case, without tests and output of another suite", () => {
  const tree = "a".repeat(40);
  const halves = { code: tree, exam: "b".repeat(40) };
  const unneeded = {
    ...CHECK,
    check: "exam-old-on-new",
    passed: true,
    outcome: "passed",
    exitCode: 0,
    halves,
  } as const;
  const text = renderJunitReport(
    reportWith([], [{ ...unneeded, tests: counts, excerpt: "of another" }]),
    new Map([["n", NAMES]]),
  );
  expect(text).toMatch(/<testsuite name="t1 › exam-old-on-new" [^>]*tests="1" failures="0" errors="0" skipped="1"/);
  expect(text).toContain('<skipped message="no test changed: they ran here already"/>');
  expect(text).not.toMatch(/subtracts|of another/);
});

test("characters that XML forbids are replaced, and no text becomes markup", () => {
  const names = { [`x › ${HOSTILE}`]: "failed" } as const;
  const seen = { ...CHECK, command: HOSTILE, snippet: HOSTILE, task: HOSTILE, tests: counts };
  const text = renderJunitReport(
    reportWith([{ severity: "major", message: HOSTILE }], [seen]),
    new Map([["n", names]]),
  );
  expect(problemsOfJUnit(text)).toEqual([]);
  for (const trace of ["<script", "\u0000", "\u001b", "\uffff"]) expect(text).not.toContain(trace);
  expect(text.isWellFormed()).toBe(true);
});

test("a run without results is an empty report", () => {
  expect(problemsOfJUnit(renderJunitReport({ ...reportWith([], []), decisions: [] }))).toEqual([]);
});

test("the report is valid under the common JUnit schema", (context) => {
  const text = renderJunitReport(reportWith([{ severity: "major", message: HOSTILE }], [{ ...CHECK, tests: counts }]));
  try {
    execFileSync("xmllint", ["--version"], { stdio: "ignore" });
  } catch {
    context.skip("xmllint is not installed here; the structure is checked by our own list above");
  }
  expect(() =>
    execFileSync("xmllint", ["--noout", "--schema", XSD, "-"], { input: text, stdio: "pipe" }),
  ).not.toThrow();
});
