import { expect, test } from "vitest";
import { cleanText, stripHarmful, toOneLine } from "./clean-text.ts";

test("escape sequences of an agent never reach the terminal", () => {
  expect(cleanText("a\u001b[2J\u001b[31mred\u001b[0m b")).toBe("ared b");
  expect(cleanText("\u001b]0;title\u0007after")).toBe("after");
  expect(cleanText("\u001b]8;;http://x\u001b\\link")).toBe("link");
  expect(cleanText("\u009b31mx")).not.toContain("\u009b");
});

test("control characters and marks that reorder text are removed; tabs and newlines stay", () => {
  expect(cleanText("one\ttwo\r\nthree\u0000\u0008\u202e")).toBe("one\ttwo\nthree");
});

test("a long line is cut with an ellipsis", () => {
  expect(toOneLine("a\nb   c")).toBe("a b c");
  expect(toOneLine("x".repeat(20), 10)).toBe(`${"x".repeat(9)}…`);
});

test("a printed line keeps our colors and loses all other control characters and marks that reorder text", () => {
  const raw = "\u001b[31mred\u001b[39m\u009b2J\u0090q\u009c \u202eturned\u2066 \u0008\u0007\ttab";
  expect(stripHarmful(raw)).toBe("\u001b[31mred\u001b[39m2Jq turned \ttab");
});
