import { expect, test } from "vitest";
import { findHiddenText } from "./hidden-text.ts";

const added = (path: string, line: string) =>
  findHiddenText([{ path, status: "modified", before: "a\n", after: `a\n${line}\n` }]);

test.each([
  ["a.test.js", "/*\u202E \u2066 if (exact) \u2069*/ assert.ok(fee);"],
  ["a.test.js", "assert.equal(disc\u043Eunt(999), 900);"],
  ["src/price.js", "export const disc\u043Eunt = 1;"],
  ["a.test.js", "assert.equ\u200Dal(1, 2);"],
  ["test_a.py", "# -*- coding: utf-7 -*-"],
])("[A-38] %s: code that a reader sees differently is put before a person", (path, line) => {
  expect(added(path, line)).toHaveLength(1);
});

test.each([
  ["a.test.js", 'assert.equal(slug("\u041F\u0440\u0438\u0432\u0435\u0442 x"), "privet-x");'],
  ["a.test.js", "// \u0434\u043B\u044F slug\u0430"],
  ["src/wave.py", "\u0394t = 3"],
  ["test_a.py", "# -*- coding: utf-8 -*-"],
  ["README.md", "disc\u043Eunt"],
])("%s: texts of other languages are not", (path, line) => {
  expect(added(path, line)).toEqual([]);
});
