import { expect, test } from "vitest";
import { findFewerTests, type TestChange } from "./fewer-tests.ts";

type Counts = NonNullable<TestChange["after"]>;
const tests = (total: number, skipped = 0): Counts => ({
  total,
  failed: 0,
  skipped,
  passed: total - skipped,
  source: "tap",
});
const change = (before?: Counts, after?: Counts) => findFewerTests({ name: "test", before, after });

test("[A-16] as many tests, or more, are no finding", () => {
  expect(change(tests(5), tests(5))).toBeUndefined();
  expect(change(tests(5), tests(9, 4))).toBeUndefined();
});

test("[A-16] the number of tests is not compared without counts on both trees", () => {
  expect(change(tests(5))).toBeUndefined();
  expect(change(undefined, tests(5))).toBeUndefined();
});

test("[A-20] no test at all is a command that did not run, not fewer tests", () => {
  expect(change(tests(5), tests(0))).toBeUndefined();
});

test("tests that could not be collected are red, not removed", () => {
  const broken = (total: number, uncollected: number) => ({ ...tests(total), failed: uncollected, uncollected });
  expect(change(tests(356), { ...tests(7), passed: 0, failed: 7 })).toBeUndefined();
  expect(change(tests(356), broken(7, 7))).toBeUndefined();
  expect(change(tests(356), broken(300, 2))).toBeUndefined();
  expect(change(broken(356, 2), broken(300, 2))?.message).toBe("test collected 356 tests on the baseline and 300 now");
});

test("[A-16] fewer tests collected, or fewer run, are a finding at gate level", () => {
  expect(change(tests(5), tests(4))).toEqual({
    severity: "critical",
    message: "test collected 5 tests on the baseline and 4 now",
    by: "tamper",
  });
  expect(change(tests(5), tests(6, 2))?.message).toBe(
    "test ran 5 tests on the baseline and 4 now; the others were skipped",
  );
});
