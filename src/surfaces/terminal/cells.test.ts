import { expect, test } from "vitest";
import { clip, countCells, padCells, padCellsStart } from "./cells.ts";

test.each([
  ["greet", 5],
  ["日本語", 6],
  ["한국어", 6],
  ["e\u0301a", 2],
  ["🎉", 2],
  ["❤️", 2],
  ["✓ ● ◆ ▪", 7],
  ["\u001b[32mgreen\u001b[39m", 5],
  ["a\u200bb", 2],
])("%j takes %i cells", (text, cells) => {
  expect(countCells(text)).toBe(cells);
});

test("a text is padded by cells, not by characters", () => {
  expect(padCells("日本", 6)).toBe("日本  ");
  expect(padCellsStart("17s", 5)).toBe("  17s");
});

test("a clipped text keeps whole characters and marks the omission", () => {
  expect(clip("implementer", 8)).toBe("impleme…");
  expect(clip("日本語", 4)).toBe("日…");
  expect(clip("a👩‍👩‍👧b", 9)).toBe("a👩‍👩‍👧b");
  expect(clip("xx👩‍👩‍👧", 5)).toBe("xx…");
  expect(clip("fits", 4)).toBe("fits");
});

test("a clipped text resets its color", () => {
  expect(clip("\u001b[31mfailed badly\u001b[39m", 7)).toBe("\u001b[31mfailed…\u001b[0m");
});
