import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import { isAlwaysSuccessful, isNoOp, splitSegments } from "./shell-line.ts";

test("a line is cut at its operators, and quotes keep a word together", () => {
  expect(splitSegments("CI=1 vitest run && echo \"a && b\" || true; a 'b;c' | d & e\n\tf \\\n  g")).toEqual([
    { words: ["CI=1", "vitest", "run"], operator: "&&" },
    { words: ["echo", "a && b"], operator: "||" },
    { words: ["true"], operator: ";" },
    { words: ["a", "b;c"], operator: "|" },
    { words: ["d"], operator: ";" },
    { words: ["e"], operator: ";" },
    { words: ["f", "", "g"] },
  ]);
});

test("an unterminated quote ends with the text", () => {
  expect(splitSegments('a "b c')).toEqual([{ words: ["a", "b c"] }]);
  expect(splitSegments("a \\")).toEqual([{ words: ["a", ""] }]);
  expect(splitSegments(" ;; ")).toEqual([]);
});

test.each([
  ['echo "Error: no test specified" && exit 1', true],
  ["true", true],
  ["", true],
  ["echo start && vitest run", false],
  ["node test.js", false],
])("%j does nothing: %s", (line, expected) => {
  expect(isNoOp(line)).toBe(expected);
});

test.each([
  ["exit 0", true],
  ["exit 1", false],
  ["exit", false],
  ["true", true],
  [":", true],
  ["echo done", true],
  ["false", false],
  ["vitest", false],
])("%j always ends well: %s", (line, expected) => {
  expect(splitSegments(line).every(isAlwaysSuccessful)).toBe(expected);
});

test("a long line is cut in time that grows with its length", () => {
  const start = cpuMs();
  splitSegments("'".repeat(200_001));
  splitSegments("a ".repeat(200_000));
  expect(cpuMs() - start).toBeLessThan(3000);
});
