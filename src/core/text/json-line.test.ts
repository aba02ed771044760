import { expect, test } from "vitest";
import { formatJsonLine } from "./json-line.ts";

test("[H-20] terminal controls and direction marks are escaped, and parsing gives the same value", () => {
  const value = { "k\u202e": ["\u009b31m", "\u061c\u200f\u2066", "\u007f\u0085\u2028\ufeff", "ä😀 plain"] };
  const line = formatJsonLine(value);
  expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u);
  expect(line).toContain("ä😀 plain");
  expect(JSON.parse(line)).toEqual(value);
});
