import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CheckRun, fewerTests, judgeCheck, needsRerun } from "./compare.ts";
import type { TestCounts } from "./test-report.ts";

const GREEN: CheckRun = { passed: true };
const RED: CheckRun = { passed: false };

const tests = (total: number, failed = 0, skipped = 0): TestCounts => ({
  total,
  failed,
  skipped,
  passed: total - failed - skipped,
  source: "tap",
});
const ran = (total: number, failed = 0, skipped = 0): CheckRun => ({
  passed: failed === 0,
  tests: tests(total, failed, skipped),
});

const judge = (before: readonly CheckRun[], after: readonly CheckRun[]) => judgeCheck({ name: "test", before, after });

describe("the outcome of a check", () => {
  test.each<[string, readonly CheckRun[], readonly CheckRun[], string]>([
    ["passes on both trees", [GREEN], [GREEN], "passed"],
    ["passes without a baseline", [], [GREEN], "passed"],
    ["was repaired", [RED], [GREEN], "passed"],
    ["fails without a baseline", [], [RED], "failed"],
    ["never ran", [], [], "failed"],
    ["[L-15] passed before and fails now", [GREEN], [RED], "regression"],
    ["[L-15] passed before and fails now, twice", [GREEN, GREEN], [RED, RED], "regression"],
    ["[L-52] was red before and shows nothing new", [RED], [RED], "red-before"],
    ["[L-52] was red before with as many failures", [ran(5, 2)], [ran(6, 2)], "red-before"],
    ["[L-52] was red before and has new failures", [ran(5, 2)], [ran(5, 3)], "regression"],
    ["had more failures once, but not twice", [ran(5, 2), ran(5, 2)], [ran(5, 3), ran(5, 2)], "red-before"],
    ["was red before without counts", [RED], [ran(5, 3)], "red-before"],
    ["passes once and fails once now", [GREEN, GREEN], [RED, GREEN], "flaky"],
    ["passed once and failed once before", [GREEN, RED], [RED, RED], "flaky"],
    ["ran nothing and says that all is well", [], [ran(0)], "failed"],
    ["ran nothing before and now", [ran(0)], [ran(0)], "red-before"],
    ["ran nothing before and tests now", [ran(0)], [ran(3)], "passed"],
    ["ran tests before and nothing now", [ran(3)], [ran(0)], "regression"],
  ])("%s", (_name, before, after, outcome) => {
    expect(judge(before, after).outcome).toBe(outcome);
  });
});

describe("what is found", () => {
  test.each<[readonly CheckRun[], readonly CheckRun[], readonly string[]]>([
    [[GREEN], [GREEN], []],
    [[RED], [RED], []],
    [[], [RED], ["test fails"]],
    [[], [ran(0)], ["test ran no test at all"]],
    [[GREEN], [RED], ["test passed on the baseline and fails now"]],
    [[ran(5, 2)], [ran(5, 3)], ["test failed on the baseline and has more failures now"]],
    [[GREEN, GREEN], [GREEN, RED], ["test does not agree with itself: the same tree gave different results"]],
    [[ran(5)], [ran(4)], ["test collected 5 tests on the baseline and 4 now"]],
    [
      [ran(5)],
      [ran(0)],
      ["test ran tests on the baseline and runs none now", "test collected 5 tests on the baseline and 0 now"],
    ],
    [[ran(5), ran(5)], [ran(3, 1), ran(5, 1)], ["test passed on the baseline and fails now"]],
  ])("%j and then %j: %j", (before, after, messages) => {
    expect(judge(before, after).findings.map((finding) => finding.message)).toEqual(messages);
  });
});

describe("[A-16] fewer tests", () => {
  const change = (before?: TestCounts, after?: TestCounts) => fewerTests({ name: "test", before, after });

  test("as many, or more, are no finding", () => {
    expect(change(tests(5), tests(5))).toBeUndefined();
    expect(change(tests(5), tests(9, 2, 4))).toBeUndefined();
  });

  test("without counts on both trees nothing is said", () => {
    expect(change(tests(5))).toBeUndefined();
    expect(change(undefined, tests(5))).toBeUndefined();
  });

  test("fewer collected, or fewer run, are a finding at gate level", () => {
    expect(change(tests(5), tests(4))).toEqual({
      severity: "critical",
      message: "test collected 5 tests on the baseline and 4 now",
      by: "tamper",
    });
    expect(change(tests(5), tests(6, 0, 2))?.message).toBe(
      "test ran 5 tests on the baseline and 4 now; the others were skipped",
    );
  });
});

test("a check runs once more exactly where its first two runs look like a regression", () => {
  expect(needsRerun(GREEN, RED)).toBe(true);
  expect(needsRerun(ran(3, 1), ran(3, 2))).toBe(true);
  expect(needsRerun(RED, RED)).toBe(false);
  expect(needsRerun(GREEN, GREEN)).toBe(false);
  expect(needsRerun(undefined, RED)).toBe(false);
});

test("only a check that needs a rerun can become a regression, and only then flaky", () => {
  const run = fc.oneof(
    fc.record({ passed: fc.boolean() }),
    fc.record({ total: fc.nat(4), failed: fc.nat(4) }).map(({ total, failed }) => ran(total, Math.min(total, failed))),
  );
  fc.assert(
    fc.property(run, run, (before, after) => {
      const { outcome } = judge([before], [after]);
      return (outcome === "regression") === needsRerun(before, after) && outcome !== "flaky";
    }),
  );
});
