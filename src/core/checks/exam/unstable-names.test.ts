import { expect, test } from "vitest";
import type { TestEnd, TestNames } from "../reports/test-report.ts";
import { compareExamRuns, type ExamRun, type ExamRuns } from "./cross-examine.ts";
import { createExamFindings } from "./exam-findings.ts";

const A = "a.test.js › adds";
const at = (time: number) => `a.test.js › at ${time}`;
const titled = (time: number, end: TestEnd = "passed") => run({ [A]: "passed", [at(time)]: end });

function run(names: TestNames): ExamRun {
  return { exitCode: Object.values(names).includes("failed") ? 1 : 0, names, ran: true };
}

function examined(runs: Partial<ExamRuns>) {
  const old = [titled(1), titled(2)];
  return compareExamRuns({ old, oldOnNew: [titled(3)], new: titled(4), announced: [], ...runs });
}

test("[A-26] a title that differs on every run of the old tree is neither named nor flaky, and is reported", () => {
  for (const oldOnNew of [[titled(3)], [titled(3), titled(5)]]) {
    const result = examined({ oldOnNew });
    expect(result).toMatchObject({ verdict: "clean", flaky: [], unsteady: [], unstable: [at(1)] });
    expect(createExamFindings(result)).toMatchObject([
      { severity: "minor", message: expect.stringContaining("counted") },
    ]);
  }
});

test("[A-26] after one run of the old tree such a name is missing, so that a second run follows", () => {
  expect(examined({ old: [titled(1)] })).toMatchObject({ verdict: "named", missing: [at(1)] });
});

test("[A-26] such a test is still named if it fails, is skipped or is missing on the new code", () => {
  for (const lost of [titled(3, "failed"), titled(3, "skipped"), run({ [A]: "passed" })]) {
    expect(examined({ oldOnNew: [lost, lost] })).toMatchObject({ verdict: "named", named: { unannounced: [at(1)] } });
  }
});

test("[A-26] where the old tree was red, such a test that fails now is named too", () => {
  const red = (time: number, end: TestEnd) => run({ [A]: "failed", [at(time)]: end });
  const result = examined({
    old: [red(1, "passed"), red(2, "passed")],
    oldOnNew: [red(3, "failed"), red(4, "failed")],
    new: red(5, "passed"),
  });
  expect(result.named.unannounced).toEqual([at(1)]);
});

test("[A-26] a test that always has its name is named beside those that have not", () => {
  const lost = run({ [A]: "failed", [at(3)]: "passed" });
  expect(examined({ oldOnNew: [lost, lost] }).named.unannounced).toEqual([A]);
});

test("[A-26] a file that was not collected the second time has no changed titles: a person is asked", () => {
  const B = "b.test.js › works";
  const both = run({ [A]: "passed", [B]: "passed" });
  const half = run({ [A]: "passed", "b.test.js (cannot be collected)": "failed" });
  const result = examined({ old: [both, half], oldOnNew: [run({ [A]: "passed" })], new: both });
  expect(result).toMatchObject({ unstable: [], unsteady: [B] });
});

test("[A-27] a title that differs each time is no test that is red without the change", () => {
  expect(examined({ newOnOld: [titled(6)] })).toMatchObject({ red: [], redByAbsence: [] });
  expect(examined({ newOnOld: [titled(6, "failed")] }).red).toEqual([at(4)]);
});
