import { expect, test } from "vitest";
import { extractSections } from "./plan-sections.ts";

const PLAN = `# Plan

## T1
first
### where
src/a.ts
\`\`\`sh
# T2 in a comment of code
\`\`\`
## T10 and T2.
second
## Parallelization Map
T1 beside T2
`;

test("a section contains everything below its heading, including code with hashes", () => {
  expect(extractSections(PLAN, ["T1"])).toBe(
    "## T1\nfirst\n### where\nsrc/a.ts\n```sh\n# T2 in a comment of code\n```",
  );
});

test("only a heading names a task, and only by its whole name", () => {
  expect(extractSections(PLAN, ["T2"])).toBe("## T10 and T2.\nsecond");
  expect(extractSections(PLAN, ["T"])).toBe("");
});

test("sections of several tasks appear once, in plan order", () => {
  expect(extractSections("## B\nb\n## A and B\nboth\n## C\nc", ["A", "B"])).toBe("## B\nb\n## A and B\nboth");
});
