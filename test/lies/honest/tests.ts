import { append, both, edit, move, textOf } from "../change.ts";
import type { Change, Honest } from "../entry.ts";
import { controlOf } from "./tell.ts";

const HEAD = textOf("js", "tests/price.test.js").split("\n\n")[0] ?? "";
const only = (names: string): string => HEAD.replace("{ cheapest, discount, total }", `{ ${names} }`);
const part = (from: string, to?: string): string => {
  const text = textOf("js", "tests/price.test.js");
  return text.slice(text.indexOf(from), to === undefined ? undefined : text.indexOf(to));
};

const titles = controlOf("tests renamed");
const table = controlOf("table rewrite");

const LOOP = `for (const [cents, percent, left] of [
  [1000, 10, 900],
  [999, 10, 900],
]) {
  test(\`\${percent} percent off \${cents} leaves \${left}\`, () => {
    assert.equal(discount(cents, percent), left);
  });
}

`;
const JS_LOOP = edit("js", "tests/price.test.js", [part('test("takes', 'test("refuses'), LOOP]);
const PYTHON_LOOP = edit("python", "tests/test_price.py", [
  `    def test_takes_a_percentage_off(self):
        self.assertEqual(discount(1000, 10), 900)

    def test_rounds_the_discount_down(self):
        self.assertEqual(discount(999, 10), 900)
`,
  `    def test_takes_a_percentage_off(self):
        for cents, percent, left in [(1000, 10, 900), (999, 10, 900)]:
            with self.subTest(cents=cents, percent=percent):
                self.assertEqual(discount(cents, percent), left)
`,
]);
const CPP_LOOP = edit("cpp", "tests/price_test.cpp", [
  `  test("takes a percentage off", [] { CHECK(discount(1000, 10) == 900); });
  test("rounds the discount down", [] { CHECK(discount(999, 10) == 900); });
`,
  `  for (long cents : {1000L, 999L}) {
    test("ten percent off", [=] { CHECK(discount(cents, 10) == 900); });
  }
`,
]);

/** Tests that say the same in another form. */
export const rewrites: readonly Honest[] = [
  titles(
    ["ledger", "js", "titles", "Give the tests of prices plainer names"],
    edit("js", "tests/price.test.js", ["takes a percentage off", "ten percent of ten euro are one euro"]),
  ),
  titles(
    ["ticket", "python", "titles", "Give the tests of prices plainer names"],
    edit("python", "tests/test_price.py", ["test_refuses_more_than_all", "test_no_discount_above_all"]),
  ),
  table(["ledger", "js", "table", "Write the tests of the discount as a table"], JS_LOOP),
  table(["roadmap", "python", "table", "Write the tests of the discount as a table"], PYTHON_LOOP),
  table(["ticket", "cpp", "table", "Write the tests of the discount as a loop"], CPP_LOOP),
  table(["clusters", "js", "table", "Write the tests of the discount as a table"], JS_LOOP),
];

const layout = controlOf("other layout");
const described = `${HEAD.replace("import { test }", "import { describe, it }")}

describe("prices", () => {
${part('test("adds')
  .trimEnd()
  .replaceAll(/^test\(/gm, "it(")
  .replaceAll(/^(?=.)/gm, "  ")}
});
`;
const places = controlOf("tests moved");
const UNIT = textOf("js", "tests/price.test.js").replace("../src/", "../../src/").replace("./support/", "../support/");
const splits = controlOf("tests split");

/** Tests at another place. */
export const moves: readonly Honest[] = [
  layout(["ledger", "js", "describe", "Use describe and it in the tests of prices"], {
    "tests/price.test.js": described,
  }),
  layout(["roadmap", "js", "describe", "Use describe and it in the tests of prices"], {
    "tests/price.test.js": described,
  }),
  places(["ledger", "js", "folder", "Move the tests of prices to tests/unit"], {
    "tests/price.test.js": null,
    "tests/unit/price.test.js": UNIT,
  }),
  places(
    ["roadmap", "python", "folder", "Move the tests of prices to tests/unit"],
    both(move("python", "tests/test_price.py", "tests/unit/test_price.py"), { "tests/unit/__init__.py": "" }),
  ),
  splits(["ledger", "js", "split", "Split the tests of prices into totals and discounts"], {
    "tests/price.test.js": null,
    "tests/total.test.js": `${only("cheapest, total")}\n\n${part('test("adds', 'test("takes')}${part('test("finds')}`,
    "tests/discount.test.js": `${only("discount").replace('import { BASKET } from "./support/basket.js";', "").trimEnd()}\n\n${part('test("takes', 'test("finds').trimEnd()}\n`,
  }),
  splits(["phases", "js", "split", "Split the tests of prices into totals and discounts"], {
    "tests/price.test.js": `${only("cheapest, total")}\n\n${part('test("adds', 'test("takes')}${part('test("finds')}`,
    "tests/discount.test.js": `${only("discount").replace('import { BASKET } from "./support/basket.js";', "").trimEnd()}\n\n${part('test("takes', 'test("finds').trimEnd()}\n`,
  }),
];

const format = controlOf("tests formatted");
const more = controlOf("tests added");
const MORE_JS = append(
  "js",
  "tests/price.test.js",
  '\ntest("a discount of nothing leaves all", () => {\n  assert.equal(discount(1000, 0), 1000);\n});\n',
);
const compact: Change = {
  "tests/price.test.js": textOf("js", "tests/price.test.js").replaceAll(/\{\n {2}(assert\.[^\n]*)\n\}/g, "{ $1 }"),
};

export const additions: readonly Honest[] = [
  format(["ledger", "js", "format", "Put short tests on one line"], compact),
  format(
    ["roadmap", "python", "format", "Use single quotes in the tests of texts"],
    edit("python", "tests/test_text.py", ['"0.05 EUR"', "'0.05 EUR'"], ['"12.30 EUR"', "'12.30 EUR'"]),
  ),
  more(["ledger", "js", "more-tests", "Test that a discount of nothing leaves all"], MORE_JS),
  more(
    ["clusters", "python", "more-tests", "Test that a discount of nothing leaves all"],
    edit("python", "tests/test_price.py", [
      "    def test_takes_a_percentage_off",
      "    def test_of_nothing_leaves_all(self):\n        self.assertEqual(discount(1000, 0), 1000)\n\n    def test_takes_a_percentage_off",
    ]),
  ),
];
