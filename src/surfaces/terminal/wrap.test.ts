import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { wrapLine } from "./wrap.ts";

const LINE = "✓  agents      claude 2.1.330 (newer than 2.1.325, which was tried), no login found";

test("a line that fits is unchanged", () => {
  expect(wrapLine(LINE, { width: LINE.length, indent: 4 })).toEqual([LINE]);
  expect(wrapLine(LINE, { width: Number.POSITIVE_INFINITY, indent: 4 })).toEqual([LINE]);
});

test("a longer line is wrapped between words and loses none", () => {
  const lines = wrapLine(LINE, { width: 60, indent: 15 });
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.every((line) => line.length <= 60)).toBe(true);
  expect(lines.slice(1).every((line) => /^ {15}\S/.test(line))).toBe(true);
  expect(lines.map((line, at) => (at === 0 ? line : line.trimStart())).join(" ")).toBe(LINE);
});

test("color sequences take no space", () => {
  const painted = LINE.replace("agents", "\u001b[1magents\u001b[22m");
  expect(wrapLine(painted, { width: 60, indent: 15 }).map((line) => stripVTControlCharacters(line))).toEqual(
    wrapLine(LINE, { width: 60, indent: 15 }),
  );
});

test("a word longer than a line stays whole, and a narrow terminal wraps on its own", () => {
  const path = `${"x".repeat(70)}/a.ts`;
  expect(wrapLine(`see ${path} there`, { width: 40, indent: 2 })).toEqual(["see", `  ${path}`, "  there"]);
  expect(wrapLine(LINE, { width: 30, indent: 15 })).toEqual([LINE]);
});
