import { expect, test } from "vitest";
import { formatNamedValue, formatPlainValue } from "./plain-value.ts";

test("list items get a line each, without brackets and quotes", () => {
  const steps = [
    { step: "0 Setup", outputs: ["a.md"] },
    { step: "2 Spec", outputs: ["b.yaml", "c.md"] },
    { step: "5 Implement", outputs: [] },
  ];
  expect(formatNamedValue("completed_steps", steps)).toEqual([
    "completed steps:",
    "  step: 0 Setup; outputs: a.md",
    "  step: 2 Spec; outputs: b.yaml, c.md",
    "  step: 5 Implement",
  ]);
});

test.each([
  ["nothing", null],
  ["an empty text", ""],
  ["an empty list", []],
  ["a mapping of nothing", { a: [], b: null }],
])("%s is left out", (_, value) => {
  expect(formatNamedValue("error_log", value)).toEqual([]);
});

test("texts, numbers and mappings are formatted on one line", () => {
  expect(formatNamedValue("found", ["a.md", "b.md"])).toEqual(["found: a.md, b.md"]);
  expect(formatNamedValue("commit", { id: "c1", branch: "b" })).toEqual(["commit: id: c1; branch: b"]);
  expect([formatPlainValue(7), formatPlainValue(false), formatPlainValue("a\nb")]).toEqual(["7", "false", "a\nb"]);
});

test("a long list ends with the number of omitted items", () => {
  const many = Array.from({ length: 15 }, (_, at) => ({ at }));
  expect(formatNamedValue("all", many)).toHaveLength(1 + 12 + 1);
  expect(formatNamedValue("all", many).at(-1)).toBe("  … and 3 more");
});
