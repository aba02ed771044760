import { expect, test } from "vitest";
import { checkScope } from "./scope.ts";

test("[L-53] a change within the declared files is no finding", () => {
  expect(checkScope({ changed: ["src/a.ts", "docs/x/y.md"], declared: ["src/a.ts", "docs/**"] })).toEqual([]);
  expect(checkScope({ changed: [], declared: [] })).toEqual([]);
});

test("every path outside is a separate finding with the path and the declared globs", () => {
  expect(checkScope({ changed: ["src/a.ts", "src/b.ts", ".env", ".env"], declared: ["src/a.ts"] })).toEqual([
    {
      severity: "major",
      message: "src/b.ts was changed, but is not one of the declared files (src/a.ts)",
      files: ["src/b.ts"],
      by: "scope",
    },
    {
      severity: "major",
      message: ".env was changed, but is not one of the declared files (src/a.ts)",
      files: [".env"],
      by: "scope",
    },
  ]);
});

test("nothing declared means that nothing may change", () => {
  const [finding] = checkScope({ changed: ["a"], declared: [] });
  expect(finding?.message).toContain("none were declared");
});

test("a long declaration is shown in part", () => {
  const [finding] = checkScope({ changed: ["x"], declared: ["1", "2", "3", "4", "5", "6", "7"] });
  expect(finding?.message).toContain("(1, 2, 3, 4, 5 and 2 more)");
});
