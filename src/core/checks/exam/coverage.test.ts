import { expect, test } from "vitest";
import { isCoverageMeasured, isCoverageRequired, isCoverageShortfall } from "./coverage.ts";

test.each([
  "ℹ Error: 42.86% line coverage does not meet threshold of 95%.",
  "ERROR: Coverage for lines (50%) does not meet global threshold (90%)",
  'ERROR: Coverage for functions (66.66%) does not meet "src/**" threshold (90%)',
  'Jest: "global" coverage threshold for branches (90%) not met: 50%',
  "FAIL Required test coverage of 90% not reached. Total coverage: 71.43%",
  "Coverage failure: total of 71 is less than fail-under=90",
])("[A-39] %s: the coverage is not reached", (line) => {
  expect(isCoverageShortfall(`1 passed\n${line}\n`)).toBe(true);
});

test("a failing test and a reached coverage are something else", () => {
  expect(isCoverageShortfall("AssertionError: coverage is 5")).toBe(false);
  expect(isCoverageShortfall("Required test coverage of 90% reached. Total coverage: 95.00%")).toBe(false);
});

test("a line measures coverage by its words, by a script, or by settings", () => {
  expect(isCoverageMeasured("npx c8 --check-coverage node --test", {})).toBe(true);
  expect(isCoverageMeasured("npm test", { test: "npm run cov", cov: "vitest --coverage" })).toBe(true);
  expect(isCoverageMeasured("npm test", { test: "node --test", cov: "vitest --coverage" })).toBe(false);
  expect(isCoverageRequired("[tool.coverage.report]\nfail_under = 90")).toBe(true);
  expect(isCoverageRequired("[tool.pytest.ini_options]\naddopts = '-q'")).toBe(false);
});
