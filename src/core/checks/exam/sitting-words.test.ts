import { expect, test } from "vitest";
import { halvesText, unsat } from "./sitting-words.ts";

const [OLD, NEW, BOTH] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)];
const sat = { check: "exam-old-on-new", passed: true, tree: BOTH, halves: { code: NEW, exam: OLD } };

test("an exam that sat says whose tests and whose code", () => {
  expect(unsat(sat)).toBeUndefined();
  expect(halvesText(sat)).toBe("old tests aaaaaaa, new code bbbbbbb");
  const back = { ...sat, check: "exam-new-on-old", halves: { code: OLD, exam: NEW } };
  expect(halvesText(back)).toBe("new tests bbbbbbb, old code aaaaaaa");
});

test("where only code or only tests changed nothing sat, and that is said", () => {
  expect(unsat({ ...sat, tree: NEW })).toContain("no test changed");
  expect(unsat({ ...sat, tree: OLD })).toContain("only tests changed");
  expect(halvesText({ ...sat, tree: OLD })).toBe("");
});

test("what did not pass stays as it is, and so does every other check", () => {
  expect(unsat({ ...sat, tree: NEW, passed: false })).toBeUndefined();
  expect(unsat({ check: "test", passed: true, tree: NEW })).toBeUndefined();
  expect(halvesText({ check: "test", passed: true, tree: NEW })).toBe("");
});
