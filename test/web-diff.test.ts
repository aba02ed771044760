import { expect, test } from "vitest";
import { numbered } from "../web/parts/diff-lines.ts";

test("a line that was taken out has no number in the new file, and pushes none of the others on", () => {
  const hunk = { header: "@@ -1,2 +1,2 @@", oldStart: 1, newStart: 1, lines: ["-old", "+new", " same"] };
  expect(numbered(hunk).map(({ oldLine, newLine }) => [oldLine, newLine])).toEqual([
    [1, null],
    [null, 1],
    [2, 2],
  ]);
});
