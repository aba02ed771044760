import { expect, test } from "vitest";
import { breakLine, fitLine } from "./columns.ts";

test("a line that fits is unchanged", () => {
  expect(breakLine("  ✓ spec    490ms", 20)).toEqual(["  ✓ spec    490ms"]);
});

test("continuation lines start at the last column", () => {
  expect(breakLine("✗ name  one two three four", 18)).toEqual(["✗ name  one two", "        three four"]);
});

test("a line without columns continues at its own indent", () => {
  expect(breakLine("  aaa bbb ccc", 9)).toEqual(["  aaa bbb", "  ccc"]);
});

test("color sequences take no space", () => {
  const red = "\u001b[31mabcdef\u001b[39m";
  expect(breakLine(red, 6)).toEqual([red]);
});

test("a word longer than the line is not cut", () => {
  expect(breakLine("a bcdefghij", 5)).toEqual(["a", "bcdefghij"]);
});

test("a path longer than a line is broken after a slash", () => {
  expect(breakLine("  about docs/feature/greet/plan.yaml", 20)).toEqual([
    "  about docs/",
    "  feature/greet/",
    "  plan.yaml",
  ]);
});

test("on a narrow terminal continuation lines start at a column that leaves enough space", () => {
  const row = "  0:33  ✓ commit 16f311f993                     on a branch of its own";
  expect(breakLine(row, 60)).toEqual([
    "  0:33  ✓ commit 16f311f993                     on a branch",
    "        of its own",
  ]);
});

test("a command to paste is never broken, any other line at the terminal's width", () => {
  const paste = "  next: signalbox approve a-96ebbabf --choose revise --note";
  expect(fitLine(paste, 30)).toEqual([paste]);
  expect(fitLine("  because: nobody has said anything", 24)).toEqual(["  because: nobody has", "  said anything"]);
});

test("a line is broken at its dots, below its last column", () => {
  const row = "  0:14  ✗ check test              638ms  exit 1 · tree 0db782a · after initials · 2 of 3 tests fail";
  expect(breakLine(row, 80)).toEqual([
    "  0:14  ✗ check test              638ms  exit 1 · tree 0db782a · after initials",
    "                                         2 of 3 tests fail",
  ]);
});

test("a command inside a sentence is never broken, and prose that starts like one is", () => {
  const left = "a-96ebbabf stays open: signalbox approve a-96ebbabf --choose revise --note words";
  expect(breakLine(left, 40)).toEqual([
    "a-96ebbabf stays open:",
    "signalbox approve a-96ebbabf --choose revise --note words",
  ]);
  expect(fitLine("git knows no user here, so commits are made", 30)).toEqual([
    "git knows no user here, so",
    "commits are made",
  ]);
});

test("wide characters count as two cells", () => {
  expect(breakLine("日本語 日本語 日本語", 14)).toEqual(["日本語 日本語", "日本語"]);
});
