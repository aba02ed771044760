import { expect, test } from "vitest";
import { formatLabeledTexts, wrapWords } from "./labeled-texts.ts";

test("texts share one column and stay within the width", () => {
  const lines = formatLabeledTexts(
    [
      { name: "EG-1", text: "a task needs a baseline, measured before it was worked on" },
      { name: "a", text: "short" },
    ],
    { width: 40 },
  );
  expect(lines).toEqual([
    "  EG-1  a task needs a baseline,",
    "        measured before it was worked on",
    "  a     short",
  ]);
});

test("a very long name has its text below it and does not widen the column", () => {
  const lines = formatLabeledTexts(
    [
      { name: "a", text: "one" },
      { name: "n".repeat(30), text: "two" },
    ],
    { width: 40 },
  );
  expect(lines).toEqual(["  a  one", `  ${"n".repeat(30)}`, "     two"]);
});

test("a word that is too long is not cut", () => {
  expect(wrapWords("a docs/feature/slug/plan-output.yaml b", 10)).toEqual([
    "a",
    "docs/feature/slug/plan-output.yaml",
    "b",
  ]);
});
