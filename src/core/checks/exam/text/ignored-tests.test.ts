import { expect, test } from "vitest";
import { findIgnoredTests } from "./ignored-tests.ts";

const TESTS = ["tests/price.test.js", "pkg/a/tests/a.test.js"];
const ignoring = (line: string, path = ".gitignore") =>
  findIgnoredTests({ path, status: "modified", before: "dist/\n", after: `dist/\n${line}\n` }, TESTS);

test.each(["tests/", "/tests", "*.test.js", "tests/*.js", "**/tests/**"])("[A-40] %s covers tests", (line) => {
  expect(ignoring(line)).toEqual([`.gitignore ignores tests of the repository: ${line}.`]);
});

test.each(["coverage/", "*.log", "tests/output/", "# tests/", "!tests/", "test-results"])("%s does not", (line) => {
  expect(ignoring(line)).toEqual([]);
});

test("a pattern counts from the folder of its file", () => {
  expect(ignoring("/tests", "pkg/a/.gitignore")).toHaveLength(1);
  expect(ignoring("/tests", "pkg/b/.gitignore")).toEqual([]);
});
