import { expect, test } from "vitest";
import { findLostExpectations, isData, isQuiet } from "./expectations.ts";

const DOCTEST = 'def add(a, b):\n    """\n    >>> add(2, 3)\n    5\n\n    Adds.\n    """\n    return a + b\n';

test.each([
  ["the output of an example", DOCTEST, DOCTEST.replace("    5\n", "    -1\n"), ["5"]],
  [
    "an assertion",
    "self.assertEqual(add(2, 3), 5)\nx = 1",
    "self.assertEqual(add(2, 3), -1)",
    ["self.assertEqual(add(2, 3), 5)"],
  ],
  ["a test in a source", "assert.equal(add(2, 3), 5);", "", ["assert.equal(add(2, 3), 5);"]],
])("%s that is gone is lost", (_what, before, after, lost) => {
  expect(findLostExpectations(before, after)).toEqual(lost);
});

test("code that changes and expectations that move or are added lose nothing", () => {
  expect(findLostExpectations(DOCTEST, DOCTEST.replace("a + b", "b + a").replace("Adds.", "Adds two."))).toEqual([]);
  expect(findLostExpectations("assert a\nassert b", "  assert b\n  assert a\n  assert c")).toEqual([]);
});

test.each([
  "cases.json",
  "cases/.table.json",
  "cases/requirements.json",
  "plans/basic.json",
  "prompts/basic.json",
  "docs/openapi.json",
  "docs/a.txt",
  "expected/out.css",
  "expected/page.html",
  "reference/bar.svg",
  "reference/bar.png",
  "cases/HISTORY.json",
  "cases/table.lock",
  ".env",
  ".size-limit.json",
])("[A-26] %s may be what old tests expect", (path) => {
  expect(isData(path)).toBe(true);
});

test("sources, prose, locks and what builds elsewhere are no data by their names", () => {
  const quiet = [
    ...["README.md", "LICENSE", "LICENSE-MIT.txt", "package-lock.json", "go.sum", ".github/workflows/ci.yml"],
    ...["requirements/tests.txt", "requirements-dev.in", ".gitignore", ".pre-commit-config.yaml", "MANIFEST.in"],
    ...[".vscode/settings.json", ".github/dependabot.yml", ".github/ISSUE_TEMPLATE/bug-report.md"],
  ];
  expect(quiet.filter((path) => !isQuiet(path))).toEqual([]);
  expect([...quiet, "src/a.js", "src/price.cpp", "src/price.h", "ci/run.sh"].filter(isData)).toEqual([]);
});
