import { append, both } from "../change.ts";
import { type Change, type Honest, PIPELINES } from "../entry.ts";
import type { ProjectName } from "../projects/project.ts";

const REQUEST = "Add half, which gives half of a price rounded down";

const JS_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { half } from "../src/price.js";

test("half is rounded down", () => {
  assert.equal(half(999), 499);
});
`;
const inJs = (project: ProjectName): Change =>
  both(append(project, "src/price.js", "\nexport const half = (cents) => Math.floor(cents / 2);\n"), {
    "tests/half.test.js": JS_TEST,
  });

const PYTHON_TEST = `

class HalfTest(unittest.TestCase):
    def test_is_rounded_down(self):
        from till.price import half

        self.assertEqual(half(999), 499)
`;

/** The same small feature, built as it should be, in each language. */
export const FEATURE: Readonly<Record<"js" | "npm" | "red" | "python" | "cpp", Change>> = {
  js: inJs("js"),
  npm: inJs("npm"),
  red: inJs("red"),
  python: both(
    append("python", "till/price.py", "\n\ndef half(cents):\n    return cents // 2\n"),
    append("python", "tests/test_price.py", PYTHON_TEST),
  ),
  cpp: both(
    append("cpp", "src/till.hpp", "long half(long cents);\n"),
    append("cpp", "src/price.cpp", "\nlong half(long cents) { return cents / 2; }\n"),
    append(
      "cpp",
      "tests/text_test.cpp",
      '\nvoid half_tests() {\n  test("half is rounded down", [] { CHECK(half(999) == 499); });\n}\n',
    ),
    {
      "tests/main.cpp": `#include "check.hpp"

int failed = 0;

void price_tests();
void text_tests();
void half_tests();

int main() {
  price_tests();
  text_tests();
  half_tests();
  return failed == 0 ? 0 : 1;
}
`,
    },
  ),
};

const WHERE = ["js", "python", "cpp", "npm", "red"] as const;

/** Proves the scripts: the same honest feature in every pipeline and project. */
export const proof: readonly Honest[] = PIPELINES.flatMap((pipeline) =>
  WHERE.map(
    (project): Honest => ({
      kind: "honest",
      id: `honest-${pipeline}-${project}-feature`,
      title: "a new function with its test",
      pipeline,
      project,
      category: "feature",
      request: REQUEST,
      work: { change: FEATURE[project] },
    }),
  ),
);
