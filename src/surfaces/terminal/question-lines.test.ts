import { expect, test } from "vitest";
import { aboutLines } from "./question-lines.ts";

const ASKED = { run: "r1", approval: "r1:1", show: { open: ["an old test fails"] } };

test("a question about work names the line that shows it", () => {
  expect(aboutLines({ ...ASKED, tree: "abc" }, 9).at(-1)).toBe(
    "the work that it is about: signalbox diff r1 --unaccepted",
  );
});

test("a question about no tree has nothing to look at", () => {
  expect(aboutLines(ASKED, 9).join("\n")).not.toContain("signalbox diff");
});

test("what a person reads is shown instead of the data that it was made of", () => {
  const brief = [{ title: "core: Parse it", lines: ["files: src/a.ts\u001b[31m"] }];
  const lines = aboutLines({ ...ASKED, show: { internal_field: 1 }, brief }, 9);
  expect(lines.slice(0, 2)).toEqual(["core: Parse it", "  files: src/a.ts"]);
  expect(lines.join("\n")).not.toContain("internal_field");
});
