import { expect, test } from "vitest";
import { inColumns } from "./columns.ts";

test("a line that fits is left alone", () => {
  expect(inColumns("  ✓ spec    490ms", 20)).toEqual(["  ✓ spec    490ms"]);
});

test("what does not fit stands under the last column", () => {
  expect(inColumns("✗ name  one two three four", 18)).toEqual(["✗ name  one two", "        three four"]);
});

test("a line without columns goes on at its own indent", () => {
  expect(inColumns("  aaa bbb ccc", 9)).toEqual(["  aaa bbb", "  ccc"]);
});

test("colours take no room", () => {
  const red = "\u001b[31mabcdef\u001b[39m";
  expect(inColumns(red, 6)).toEqual([red]);
});

test("a word longer than the line is not cut", () => {
  expect(inColumns("a bcdefghij", 5)).toEqual(["a", "bcdefghij"]);
});
