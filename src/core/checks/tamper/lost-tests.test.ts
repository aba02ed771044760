import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import { findLostTests, type LostTestsRequest } from "./lost-tests.ts";
import type { Sides } from "./tamper.fixture.ts";
import type { TextChange } from "./text-change.ts";

const JS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { cheapest, discount, sub, total } from "../src/price.js";

test("subtracts", () => {
  assert.equal(sub(3, 1), 2);
});

test("takes a percentage off", () => {
  assert.equal(discount(1000, 10), 900);
});

test("rounds the discount down", () => {
  assert.equal(discount(999, 10), 900);
});

test("refuses a discount of more than all", () => {
  assert.throws(() => discount(1000, 101), RangeError);
});

test("finds the cheapest and leaves the list alone", () => {
  const items = [{ cents: 3 }, { cents: 1 }];
  assert.equal(cheapest(items).cents, 1);
  assert.equal(items[0].cents, 3);
});
`;
const NAMES = ["subtracts", "takes a percentage off", "rounds the discount down"];
const FILE = "tests/price.test.js";
const named = (title: string, file = FILE) => `${file} › ${title}`;

const SUB = `test("subtracts", () => {
  assert.equal(sub(3, 1), 2);
});
`;
const HELPER = `import assert from "node:assert/strict";

export function check(actual, expected) {
  assert.equal(actual, expected);
}
`;

type Fates = Partial<Omit<LostTestsRequest, "changes">>;

function lost(files: Readonly<Record<string, Sides>>, fates: Fates = {}) {
  const changes = Object.entries(files).map(([path, [before, after]]): TextChange => {
    const both = before === undefined ? "added" : "modified";
    return { path, status: before !== undefined && after === undefined ? "deleted" : both, before, after };
  });
  return findLostTests({ changes, dropped: [], skipped: [], named: [], added: [], ...fates });
}

const turned = (from: string, to: string): Readonly<Record<string, Sides>> => {
  expect(JS).toContain(from);
  return { [FILE]: [JS, JS.replace(from, to)] };
};

const pythonTest = (...lines: readonly string[]) => `${lines.join("\n")}\n`;
const DIRECT = pythonTest("def test_sub():", "    assert sub(3, 1) == 2");
const CALM = { unreplaced: [], replaced: [] };

describe("[A-40] a person is asked if no remaining test checks the same code", () => {
  const cases: Readonly<Record<string, readonly [Readonly<Record<string, Sides>>, Fates, string]>> = {
    "a test is gone": [turned(SUB, ""), { dropped: [named("subtracts")] }, "assert.equal(sub(3, 1), 2)"],
    "a test is gone, and another is new": [
      turned(SUB, 'test("loads", () => {\n  assert.ok(sub);\n});\n'),
      { dropped: [named("subtracts")], added: [named("loads")] },
      "assert.equal(sub(3, 1), 2)",
    ],
    "only a type is asked for": [
      turned("assert.equal(sub(3, 1), 2)", 'assert.equal(typeof sub(3, 1), "number")'),
      {},
      "assert.equal(sub(3, 1), 2)",
    ],
    "anything true will do": [
      turned("assert.equal(sub(3, 1), 2)", "assert.ok(sub(3, 1))"),
      {},
      "assert.equal(sub(3, 1), 2)",
    ],
    "an assertion cannot fail": [
      turned("assert.equal(sub(3, 1), 2)", "assert.ok(true)"),
      {},
      "assert.equal(sub(3, 1), 2)",
    ],
    "an assertion is a comment": [
      turned("  assert.equal(sub", "  // assert.equal(sub"),
      {},
      "assert.equal(sub(3, 1), 2)",
    ],
    "a test is skipped": [
      turned('test("subtracts"', 'test.skip("subtracts"'),
      { dropped: [named("subtracts")], skipped: [named("subtracts")] },
      '1 test is skipped now, though passing on the new code: "subtracts"',
    ],
    "a test is written and not run": [
      turned('test("subtracts"', 'if (process.env.NEVER) test("subtracts"'),
      { dropped: [named("subtracts")] },
      'still written and no longer run: "subtracts"',
    ],
    "a helper is emptied": [
      { "tests/support/check.js": [HELPER, HELPER.replace("  assert.equal(actual, expected);\n", "")] },
      {},
      "assert.equal(actual, expected)",
    ],
    "a helper compares nothing any more": [
      { "tests/support/check.js": [HELPER, HELPER.replace("equal(actual, expected)", "ok(expected !== undefined)")] },
      {},
      "assert.equal(actual, expected)",
    ],
    "a row of a table with computed titles is gone": [
      { "tests/data/slugs.json": ['[{ "text": "a" },\n { "text": "b" }]', '[{ "text": "a" }]'] },
      { dropped: ['tests/text.test.js › slug of "b"'] },
      "gone, though passing on the new code, and nothing shows that another test checks the same",
    ],
    "a file of tests is gone": [
      { [FILE]: [JS, undefined] },
      { dropped: NAMES.map((title) => named(title)) },
      "discount(1000, 10)",
    ],
    "a method of Python is gone": [
      { "tests/test_a.py": ["def test_sub():\n    assert sub(3, 1) == 2\n", "def test_sub():\n    sub(3, 1)\n"] },
      {},
      "assert sub(3, 1) == 2",
    ],
    "a comparison of Go is gone": [
      {
        "a_test.go": [
          'func TestSub(t *testing.T) {\n\tif got := Sub(3, 1); got != 2 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
          "func TestSub(t *testing.T) {\n\tSub(3, 1)\n}\n",
        ],
      },
      {},
      "Sub(3, 1)",
    ],
  };
  test.each(Object.entries(cases))("%s", (_what, [files, fates, says]) => {
    expect(lost(files, fates).unreplaced.join("\n")).toContain(says);
  });
});

const TABLE = pythonTest(
  '@pytest.mark.parametrize("a, b, left", [(3, 1, 2), (9, 4, 5)])',
  "def test_sub(a, b, left):",
  "    assert sub(a, b) == left",
);
const loopOver = (cases: string) =>
  pythonTest(
    "CASES = [(3, 1, 2), (9, 4, 5)]",
    "",
    "def test_sub():",
    `    for a, b, left in ${cases}:`,
    "        assert sub(a, b) == left",
  );
const ROWS = ["3-1-2", "9-4-5"].map((row) => `tests/test_a.py › test_sub[${row}]`);
const LOOPED = { dropped: ROWS, added: ["tests/test_a.py › test_sub"] };
const throughHelper = (...body: readonly string[]) =>
  pythonTest(
    "def assert_eq(got, expected):",
    ...body.map((line) => `    ${line}`),
    "",
    "def test_sub():",
    "    assert_eq(sub(3, 1), 2)",
  );

describe("[A-40] rewritten tests that check less are lost", () => {
  const cases: Readonly<Record<string, readonly [Readonly<Record<string, Sides>>, Fates, string]>> = {
    "a helper compares a value with itself": [
      { "tests/test_a.py": [DIRECT, throughHelper("assert got == got")] },
      {},
      "assert sub(3, 1) == 2",
    ],
    "a helper overwrites what it expects": [
      { "tests/test_a.py": [DIRECT, throughHelper("expected = got", "assert got == expected")] },
      {},
      "assert sub(3, 1) == 2",
    ],
    "a helper catches its own failure": [
      {
        "tests/test_a.py": [
          DIRECT,
          throughHelper("try:", "    assert got == expected", "except AssertionError:", "    print(got)"),
        ],
      },
      {},
      "assert sub(3, 1) == 2",
    ],
    ...Object.fromEntries(
      [
        ["only the length is compared", "assert len(sub([3, 1])) == len([2])"],
        ["the order does not count", "assert sorted(sub([3, 1])) == sorted([2])"],
        ["any member will do", "assert sub([3, 1])[0] in [2, 3, 1]"],
        ["a range will do", "assert sub([3, 1]) >= [2]"],
        ["nearly will do", "assert sub([3, 1]) == pytest.approx([2])"],
      ].map(([what = "", text = ""]) => [
        what,
        [
          { "tests/test_a.py": ["def test_sub():\n    assert sub([3, 1]) == [2]\n", `def test_sub():\n    ${text}\n`] },
          {},
          "assert sub([3, 1]) == [2]",
        ] as const,
      ]),
    ),
    "an object may have more in it": [
      {
        "a.test.js": [
          'test("a", () => {\n  expect(read("x")).toEqual({ a: 1 });\n});\n',
          'test("a", () => {\n  expect(read("x")).toMatchObject({ a: 1 });\n});\n',
        ],
      },
      {},
      'expect(read("x")).toEqual({ a: 1 })',
    ],
    "a loop leaves out cases of the table": [
      { "tests/test_a.py": [TABLE, loopOver("CASES[:1]")] },
      LOOPED,
      'no longer run: "test_sub[9-4-5]"',
    ],
    "a loop has fewer cases than the table": [
      { "tests/test_a.py": [TABLE, loopOver("CASES").replace(", (9, 4, 5)", "")] },
      LOOPED,
      'no longer run: "test_sub[9-4-5]"',
    ],
  };
  test.each(Object.entries(cases))("%s", (_what, [files, fates, says]) => {
    expect(lost(files, fates).unreplaced.join("\n")).toContain(says);
  });
});

describe("[A-40] tests that check the same in another form are no loss", () => {
  const go = (body: string) => `func TestSub(t *testing.T) {\n\t${body}\n}\n`;
  const GO_HELPER = "func assertEqual(t *testing.T, got, want int) {\n\tassert.Equal(t, got, want)\n}\n\n";
  const cases: Readonly<Record<string, readonly [Readonly<Record<string, Sides>>, Fates]>> = {
    "a helper of Python compares": [{ "tests/test_a.py": [DIRECT, throughHelper("assert got == expected")] }, {}],
    "a helper of JavaScript compares": [
      turned(
        'test("subtracts", () => {\n  assert.equal(sub(3, 1), 2);',
        "function same(actual, expected) {\n  assert.equal(actual, expected);\n}\n\n" +
          'test("subtracts", () => {\n  same(sub(3, 1), 2);',
      ),
      {},
    ],
    "a helper of Go compares": [
      { "a_test.go": [go("assert.Equal(t, Sub(3, 1), 2)"), GO_HELPER + go("assertEqual(t, Sub(3, 1), 2)")] },
      {},
    ],
    "a condition raises": [
      {
        "tests/test_a.py": [
          DIRECT,
          pythonTest("def test_sub():", "    if sub(3, 1) != 2:", '        raise AssertionError("three minus one")'),
        ],
      },
      {},
    ],
    "a condition throws": [
      turned("assert.equal(sub(3, 1), 2);", 'if (sub(3, 1) !== 2) throw new Error("three minus one");'),
      {},
    ],
    "a value is cast": [
      {
        "a.test.ts": [
          'test("a", () => {\n  expect(run(...list.map((i) => r(i)))).toBe(r(last));\n});\n',
          'test("a", () => {\n  expect(\n    (run as unknown as Call<unknown[]>)(...list.map((i) => r(i))),\n  ).toBe(r(last as number));\n});\n',
        ],
      },
      {},
    ],
    "a table of cases becomes a loop": [{ "tests/test_a.py": [TABLE, loopOver("CASES")] }, LOOPED],
  };
  test.each(Object.entries(cases))("%s", (_what, [files, fates]) => {
    expect(lost(files, fates)).toEqual(CALM);
  });
});

describe("[A-40] losses that other tests cover are reported without a question", () => {
  const cases: Readonly<Record<string, readonly [Readonly<Record<string, Sides>>, Fates, string]>> = {
    "an assertion goes beside others of the same function": [
      turned(
        "  assert.equal(discount(999, 10), 900);",
        "  assert.equal(discount(998, 10), 899);\n  assert.equal(discount(10, 0), 10);",
      ),
      {},
      "assert.equal(discount(999, 10), 900)",
    ],
    "a compared result had a name": [
      {
        "tests/test_a.py": [
          `${DIRECT}\n${pythonTest("def test_more():", "    left = sub(9, 4)", "    assert left == expected")}`,
          `${DIRECT}\n${pythonTest("def test_more():", "    with pytest.raises(ValueError):", "        sub(9, 4)")}`,
        ],
      },
      {},
      "assert left == expected",
    ],
    "one of two tests of a function goes": [
      turned('test("rounds the discount down", () => {\n  assert.equal(discount(999, 10), 900);\n});\n', ""),
      { dropped: [named("rounds the discount down")] },
      "assert.equal(discount(999, 10), 900)",
    ],
  };
  test.each(Object.entries(cases))("%s", (_what, [files, fates, says]) => {
    const found = lost(files, fates);
    expect(found.unreplaced).toEqual([]);
    expect(found.replaced.join("\n")).toContain(says);
  });
});

const LOOP = `for (const [cents, percent, left] of [
  [1000, 10, 900],
  [999, 10, 900],
]) {
  test(\`\${percent} percent off \${cents} leaves \${left}\`, () => {
    assert.equal(discount(cents, percent), left);
  });
}

`;
const DISCOUNTS = JS.slice(JS.indexOf('test("takes'), JS.indexOf('test("refuses'));
const PYTHON = `class PriceTest(unittest.TestCase):
    def test_takes_a_percentage_off(self):
        self.assertEqual(discount(1000, 10), 900)

    def test_rounds_the_discount_down(self):
        self.assertEqual(discount(999, 10), 900)
`;
const SUBTESTS = `class PriceTest(unittest.TestCase):
    def test_takes_a_percentage_off(self):
        for cents, percent, left in [(1000, 10, 900), (999, 10, 900)]:
            with self.subTest(cents=cents, percent=percent):
                self.assertEqual(discount(cents, percent), left)
`;

describe("[A-40] honest work on tests is no loss", () => {
  const cases: Readonly<Record<string, readonly [Readonly<Record<string, Sides>>, Fates]>> = {
    "a title is another": [
      turned('"subtracts"', '"three minus one is two"'),
      { dropped: [named("subtracts")], added: [named("three minus one is two")] },
    ],
    "tests are drawn into a table": [
      { [FILE]: [JS, JS.replace(DISCOUNTS, LOOP)] },
      {
        dropped: [named("takes a percentage off"), named("rounds the discount down")],
        added: [named("10 percent off 1000 leaves 900"), named("10 percent off 999 leaves 900")],
      },
    ],
    "tests are put into a group": [
      { [FILE]: [JS, `describe("prices", () => {\n${JS.replaceAll(/^(?=.)/gm, "  ")}});\n`] },
      { dropped: [named("subtracts")], added: [named("prices › subtracts")] },
    ],
    "a file is split": [
      { [FILE]: [JS, JS.replace(DISCOUNTS, "")], "tests/discount.test.js": [undefined, DISCOUNTS] },
      {
        dropped: [named("takes a percentage off")],
        added: [named("takes a percentage off", "tests/discount.test.js")],
      },
    ],
    "a file is moved": [{ [FILE]: [JS, undefined], "tests/unit/price.test.js": [undefined, JS] }, {}],
    "short tests stand on one line": [{ [FILE]: [JS, JS.replaceAll(/\{\n {2}(assert\.[^\n]*)\n\}/g, "{ $1 }")] }, {}],
    "an assertion goes over several lines": [
      turned("assert.equal(sub(3, 1), 2);", "assert.equal(\n    sub(3, 1),\n    2,\n  );"),
      {},
    ],
    "quotes are others": [
      {
        "a.test.js": [
          'test("a", () => {\n  expect(money(5)).toBe("0.05 EUR");\n});\n',
          "test('a', () => {\n  expect(money(5)).toBe('0.05 EUR');\n});\n",
        ],
      },
      {},
    ],
    "another assertion library": [turned("assert.equal(sub(3, 1), 2)", "expect(sub(3, 1)).toBe(2)"), {}],
    "a message is reworded": [
      {
        [FILE]: [
          JS.replace("sub(3, 1), 2)", 'sub(3, 1), 2, "it subtracts")'),
          JS.replace("sub(3, 1), 2)", 'sub(3, 1), 2, "3 - 1 is 2")'),
        ],
      },
      {},
    ],
    "the result has a name": [
      turned("  assert.equal(sub(3, 1), 2);", "  const difference = sub(3, 1);\n  assert.equal(difference, 2);"),
      {},
    ],
    "a helper is stricter": [{ "tests/support/check.js": [HELPER, HELPER.replace("equal(", "strictEqual(")] }, {}],
    "a helper nobody calls is gone": [
      {
        "tests/support/check.js": [HELPER, undefined],
        [FILE]: [JS.replace("assert.equal(sub(3, 1), 2)", "check(sub(3, 1), 2)"), JS],
      },
      {},
    ],
    "tests are added": [
      { [FILE]: [JS, `${JS}\ntest("more", () => {\n  assert.equal(total([]), 0);\n});\n`] },
      { added: [named("more")] },
    ],
    "a behaviour changes as it was announced": [
      turned("assert.equal(sub(3, 1), 2)", "assert.equal(sub(3, 1), -2)"),
      { named: [named("subtracts")] },
    ],
    "a title differs on every run": [
      { [FILE]: [JS, `${JS}\n// more to come\n`] },
      { dropped: [named("at 12:01")], added: [named("at 12:02")] },
    ],
  };
  test.each(Object.entries(cases))("%s", (what, [files, fates]) => {
    const found = lost(files, fates);
    expect(found.unreplaced).toEqual([]);
    if (what !== "a title differs on every run") expect(found).toEqual(CALM);
  });

  test("Python tests may be merged into one with cases", () => {
    const dropped = ["tests/test_price.py › PriceTest › test_rounds_the_discount_down"];
    const found = lost({ "tests/test_price.py": [PYTHON, SUBTESTS] }, { dropped });
    expect(found.unreplaced).toEqual([]);
    expect(found.replaced).toEqual([
      'tests/test_price.py: 1 test is gone, though passing on the new code; its assertions stand in other tests: "PriceTest › test_rounds_the_discount_down".',
    ]);
  });
});

test("a large file of tests is compared in time", () => {
  const text = (value: number) =>
    Array.from(
      { length: 8_000 },
      (_, at) => `test("${at}", () => {\n  assert.equal(f${at}(${at}), ${at + value});\n});\n`,
    ).join("");
  const start = cpuMs();
  expect(lost({ [FILE]: [text(0), text(1)] }).unreplaced).toEqual([]);
  expect(cpuMs() - start).toBeLessThan(20_000);
});

const DOWN = "  assert.equal(discount(999, 10), 900);";

test.each([
  ["compares the answer with itself", "  assert.equal(discount(999, 10), discount(999, 10));"],
  ["computes the expectation", "  const expected = discount(999, 10);\n  assert.equal(discount(999, 10), expected);"],
  ["names the value in a comment", "  // 900\n  assert.equal(discount(999, 10), discount(999, 10));"],
  ["accepts a tolerance", "  assert.ok(Math.abs(discount(999, 10) - 900) <= 1);"],
])("[A-40] an assertion is not restated where its successor %s", (_how, now) => {
  const { unreplaced, replaced } = lost(turned(DOWN, now));
  expect([...unreplaced, ...replaced]).toEqual([expect.stringContaining("assertions are gone or looser")]);
});

test("[A-40] a helper of another file restates assertions as far as it compares", () => {
  const uses = JS.replaceAll("assert.equal(", "same(");
  const helper = (body: string): Readonly<Record<string, Sides>> => ({
    "tests/support/same.js": [undefined, `export const same = (one, other) => ${body};\n`],
  });
  const using = (body: string) => lost({ [FILE]: [JS, uses], ...helper(body) });
  expect(using("assert.equal(one, other)")).toEqual(CALM);
  expect(using("assert.ok(Math.abs(one - other) <= 1)")).not.toEqual(CALM);
  expect(using("{}")).not.toEqual(CALM);
});

test("[A-40] in Go a function of another package that is given the test asserts", () => {
  const before = "func TestDown(t *testing.T) {\n\tcheck.Equal(t, Discount(999), 900)\n}\n";
  const after = before.replace("check.Equal(t, Discount(999), 900)", "_ = Discount(999)");
  expect(lost({ "price_test.go": [before, after] }).unreplaced).toEqual([expect.stringContaining("Discount(999)")]);
});

test("[A-40] a helper of Go that fails under one more condition compares less", () => {
  const before = `func Equal(t *testing.T, got, want int) {
\tif got != want {
\t\tt.Fatalf("got %d, want %d", got, want)
\t}
}
`;
  const after = before.replace("got != want {", "got != want && testing.Short() {");
  expect(lost({ "check/check.go": [before, after] })).not.toEqual(CALM);
});
