import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CheckRun, classifyRun, judgeCheck, needsRerun } from "./outcome.ts";

const GREEN: CheckRun = { exitCode: 0 };
const RED: CheckRun = { exitCode: 1 };
const MISSING: CheckRun = { exitCode: 127, notRun: "sh: 1: xo: not found" };

/** A run of this many tests, of which the named ones failed. */
const ran = (total: number, failing: readonly string[] = [], exitCode = failing.length > 0 ? 1 : 0): CheckRun => ({
  exitCode,
  tests: { total, failed: failing.length, skipped: 0, passed: total - failing.length },
  failing,
});
/** The same without names. */
const counted = (total: number, failed: number): CheckRun => ({
  exitCode: failed > 0 ? 1 : 0,
  tests: { total, failed, skipped: 0, passed: total - failed },
});

const judge = (before: readonly CheckRun[], after: readonly CheckRun[]) => judgeCheck({ name: "test", before, after });

describe("the outcome of a check", () => {
  test.each<[string, readonly CheckRun[], readonly CheckRun[], string]>([
    ["passes on both trees", [GREEN], [GREEN], "passed"],
    ["passes without a baseline", [], [GREEN], "passed"],
    ["was repaired", [RED], [GREEN], "passed"],
    ["could not run before and passes now", [MISSING], [GREEN], "passed"],
    ["fails without a baseline", [], [RED], "failed"],
    ["could not run before and fails now", [MISSING], [RED], "failed"],
    ["[A-20] was never started", [], [], "not-run"],
    ["[A-20] has no program", [GREEN], [MISSING], "not-run"],
    ["[A-20] was stopped", [GREEN], [{ exitCode: null }], "not-run"],
    ["[A-20] had no program before either", [MISSING], [MISSING], "not-run"],
    ["ran no test where there were none", [], [ran(0)], "passed"],
    ["ran no test before and now", [ran(0)], [ran(0)], "passed"],
    ["[A-20] ran tests before and none now", [ran(3)], [ran(0)], "not-run"],
    ["[A-20] ran no test and failed", [ran(3)], [ran(0, [], 1)], "not-run"],
    ["[A-22] counted tests before and counts none now", [ran(3)], [GREEN], "not-run"],
    ["[A-22] exits with 0 although a test failed", [ran(3)], [ran(3, ["a"], 0)], "regression"],
    ["[A-22] exits with 0 although a test failed, without a baseline", [], [ran(3, ["a"], 0)], "failed"],
    [
      "[A-20] could collect none of its tests",
      [ran(3)],
      [{ exitCode: 1, tests: { total: 1, failed: 1, passed: 0, skipped: 0, uncollected: 1 }, failing: ["t.js"] }],
      "not-run",
    ],
    ["ran nothing before and tests now", [ran(0)], [ran(3)], "passed"],
    ["[L-15] passed before and fails now", [GREEN], [RED], "regression"],
    ["[L-15] passed before and fails now, twice", [GREEN, GREEN], [RED, RED], "regression"],
    ["[L-15] counted tests before and ends early now", [ran(3)], [RED], "regression"],
    ["[L-52] was red before and shows nothing new", [RED], [RED], "red-before"],
    ["[L-52] was red before in the same test", [ran(5, ["a"])], [ran(6, ["a"])], "red-before"],
    [
      "[A-23] was red before, and of two failing tests one was repaired",
      [ran(5, ["a", "b"])],
      [ran(5, ["b"])],
      "red-before",
    ],
    ["[A-23] repaired one test and broke another", [ran(5, ["a"])], [ran(5, ["b"])], "regression"],
    ["[A-23] was red before, and a new test fails too", [ran(5, ["a"])], [ran(6, ["a", "new"])], "regression"],
    ["[A-23] was red before with as many failures and no names", [counted(5, 2)], [counted(5, 2)], "red-before"],
    ["passes once and fails once now", [GREEN, GREEN], [RED, GREEN], "flaky"],
    ["passed once and failed once before", [GREEN, RED], [RED, RED], "flaky"],
    [
      "[A-23] fails each time in a new test, beside an old one that comes and goes",
      [ran(5), ran(5, ["old"])],
      [ran(6, ["new"]), ran(6, ["new", "old"])],
      "regression",
    ],
    [
      "fails only in an old test that came and went before",
      [ran(5), ran(5, ["old"])],
      [ran(5, ["old"]), ran(5, ["old"])],
      "flaky",
    ],
    ["fails in another test each time", [ran(5), ran(5)], [ran(5, ["a"]), ran(5, ["b"])], "flaky"],
    [
      "was red before and fails once in another test",
      [ran(5, ["a"]), ran(5, ["a"])],
      [ran(5, ["a", "b"]), ran(5, ["a"])],
      "flaky",
    ],
  ])("%s", (_name, before, after, outcome) => {
    expect(judge(before, after).outcome).toBe(outcome);
  });

  test("[A-23] red on both trees proves something only by names", () => {
    expect(judge([ran(5, ["a"])], [ran(5, ["a"])]).proves).toBe(true);
    expect(judge([counted(5, 2)], [counted(5, 2)]).proves).toBe(false);
    expect(judge([RED], [RED]).proves).toBe(false);
  });

  test("only a pass, or a red run with no new failed name, proves anything", () => {
    expect(judge([GREEN], [GREEN]).proves).toBe(true);
    for (const after of [RED, MISSING, ran(0)]) expect(judge([GREEN], [after]).proves).toBe(false);
    expect(judge([], [ran(0)]).proves).toBe(false);
  });
});

describe("what is found", () => {
  test.each<[readonly CheckRun[], readonly CheckRun[], readonly string[]]>([
    [[GREEN], [GREEN], []],
    [[RED], [RED], ["test was red before and still is; it reports no test names, so it proves nothing"]],
    [[], [RED], ["test fails"]],
    [[ran(2)], [ran(0)], ["test could not be run: it ran no test at all"]],
    [[GREEN], [MISSING], ["test could not be run: sh: 1: xo: not found"]],
    [[ran(2)], [GREEN], ["test could not be run: it counted tests on the baseline and counts none now"]],
    [[GREEN], [RED], ["test passed on the baseline and fails now"]],
    [
      [ran(3)],
      [ran(3, ["a"], 0)],
      ["test passed on the baseline and fails now (it exits with 0 although 1 test failed): a"],
    ],
    [
      [ran(5, ["a"])],
      [ran(5, ["b"])],
      ["test was red on the baseline, and fails now in tests that did not fail there: b"],
    ],
    [[ran(9)], [ran(9, ["a", "b", "c", "d"])], ["test passed on the baseline and fails now: a; b; c and 1 more"]],
    [[GREEN, GREEN], [GREEN, RED], ["test is flaky: the same tree gave different results"]],
  ])("%j and then %j: %j", (before, after, messages) => {
    expect(judge(before, after).findings.map((finding) => finding.message)).toEqual(messages);
  });
});

test("a check runs again exactly if its first two runs look like a regression", () => {
  expect(needsRerun(GREEN, RED)).toBe(true);
  expect(needsRerun(ran(3, ["a"]), ran(3, ["b"]))).toBe(true);
  expect(needsRerun(RED, RED)).toBe(false);
  expect(needsRerun(GREEN, GREEN)).toBe(false);
  expect(needsRerun(undefined, RED)).toBe(false);
});

test("no run is green that failed a test, lost all of them or never ran, whatever it exits with", () => {
  const run = fc.record({
    exitCode: fc.constantFrom(0, 1, 127, null),
    failed: fc.nat(2),
    total: fc.nat(3),
    notRun: fc.constantFrom(undefined, "why"),
  });
  fc.assert(
    fc.property(run, ({ exitCode, failed, total, notRun }) => {
      const tests = { total, failed: Math.min(failed, total), skipped: 0, passed: total - Math.min(failed, total) };
      const green = classifyRun({ exitCode, notRun, tests }, true) === "green";
      return green === (exitCode === 0 && notRun === undefined && total > 0 && tests.failed === 0);
    }),
  );
});
