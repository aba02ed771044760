import { expect, test } from "vitest";
import { formatNeed } from "./need-text.ts";

test("a rule that counts upwards prints its need", () => {
  expect(formatNeed({ passed: true, actual: 2, need: 2, compare: "at least" })).toBe("needs at least 2");
  expect(formatNeed({ passed: false, actual: 0, need: 1 })).toBe("needs 1");
  expect(formatNeed({ passed: true, actual: 2, need: "at most 3" })).toBe("needs at most 3");
  expect(formatNeed({ passed: true, actual: 1, need: null })).toBe("");
});

test("a passed rule never prints a number that seems to miss its need", () => {
  expect(formatNeed({ passed: true, actual: 2, need: 3 })).toBe("compared with 3");
  expect(formatNeed({ passed: false, actual: 5, need: 3 })).toBe("compared with 3");
});
