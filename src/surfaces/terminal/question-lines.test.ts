import { expect, test } from "vitest";
import { formatQuestionContent } from "./question-lines.ts";

const ASKED = { run: "r1", approval: "r1:1", show: { open: ["an old test fails"] } };

test("a question about work names the command that shows it", () => {
  expect(formatQuestionContent({ ...ASKED, tree: "abc" }, 9).at(-1)).toBe(
    "show the work: signalbox diff r1 --unaccepted",
  );
});

test("a question without a tree names no such command", () => {
  expect(formatQuestionContent(ASKED, 9).join("\n")).not.toContain("signalbox diff");
});

test("the brief is shown instead of the data it was made of", () => {
  const brief = [{ title: "core: Parse it", lines: ["files: src/a.ts\u001b[31m"] }];
  const lines = formatQuestionContent({ ...ASKED, show: { internal_field: 1 }, brief }, 9);
  expect(lines.slice(0, 2)).toEqual(["core: Parse it", "  files: src/a.ts"]);
  expect(lines.join("\n")).not.toContain("internal_field");
});
