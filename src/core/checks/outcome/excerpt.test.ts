import { expect, test } from "vitest";
import { extractExcerpt, MOST_OF_EXCERPT } from "./excerpt.ts";

const progress = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `case ${from + at} does what it says`).join("\n");

test("a short output is returned whole, with relative paths and without colours", () => {
  const output = "\u001b[31mnot ok\u001b[0m 1\n  at /work/tree/src/a.js:3:1\n";
  expect(extractExcerpt({ output, tops: ["/work/tree"] })).toBe("not ok 1\n  at src/a.js:3:1");
});

test("an assertion in the middle of a long output is kept with head and tail", () => {
  const assertion = "✖ adds two numbers\n  AssertionError [ERR_ASSERTION]: 3 !== 4\n    expected: 4\n    actual: 3";
  const output = `> node --test\n${progress(0, 200)}\n${assertion}\n${progress(200, 400)}\nℹ fail 1`;
  const told = extractExcerpt({ output, failing: ["test/sum.test.js › adds two numbers"] });
  expect(told.length).toBeLessThanOrEqual(MOST_OF_EXCERPT);
  expect(told).toMatch(/^> node --test\n/);
  expect(told).toContain(assertion);
  expect(told).toMatch(/ℹ fail 1$/);
  expect(told).toContain("[…]");
});

test("a failed test is found by its title if nothing else looks like an error", () => {
  const output = `${progress(0, 300)}\nsubtracts: wrong, got 9\n${progress(300, 600)}`;
  expect(extractExcerpt({ output, failing: ["a.t › group › subtracts"] })).toContain("subtracts: wrong, got 9");
});

test("only the first of many errors are retained, and long lines are truncated", () => {
  const errors = Array.from({ length: 500 }, (_, at) => `src/f${at}.ts(1,1): error TS2304: Cannot find name 'x${at}'.`);
  const told = extractExcerpt({ output: [...errors, "x".repeat(100_000)].join("\n") });
  expect(told.length).toBeLessThanOrEqual(MOST_OF_EXCERPT);
  expect(told).toContain("src/f0.ts");
  expect(told).toContain("src/f20.ts");
});

test("tests that passed and how long each took are left out", () => {
  const output =
    "✔ adds nothing (0.4ms)\n✖ adds two numbers (10.8ms)\n  expected it within 5 ms\nℹ duration_ms 397.006\nok 2 - b";
  expect(extractExcerpt({ output })).toBe("✖ adds two numbers\n  expected it within 5 ms");
});
