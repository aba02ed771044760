import { expect, test } from "vitest";
import { declareWork, type RequestKind, readRequestKind } from "./work-kind.ts";

const ASSUMED = { declared: "feature", assumed: true };
const plain = "Round tax down; the prefix stays";

test("[A-37] the kind that a person states decides, whatever agents call the work", () => {
  const parts = [{ kind: "docs" }, { kind: "feature" }] as const;
  expect(declareWork({ request: "Fix it", kind: "chore" }, { parts })).toEqual({});
  expect(declareWork({ request: "docs: rounding", kind: "feature" }, { parts })).toEqual({ declared: "feature" });
});

test("[A-37] otherwise the words of the request decide", () => {
  expect(declareWork({ request: "Fix the rounding of tax" }, { parts: [{ kind: "docs" }] })).toEqual({
    declared: "fix",
  });
  expect(declareWork({ request: "Refactor the cart" }, { parts: [{ kind: "refactor" }] })).toEqual({});
});

test.each(["docs", "refactor", "other", undefined] as const)(
  "[A-37] an agent that calls its own work %s still needs a red test",
  (kind) => {
    expect(declareWork({ request: plain }, { parts: [{ kind }] })).toEqual(ASSUMED);
    expect(declareWork({ request: plain }, { parts: [] })).toEqual(ASSUMED);
  },
);

test("[A-37] a plan that a person approved decides, and a part without a kind counts as a feature", () => {
  const refactor = { kind: "refactor" } as const;
  expect(declareWork({ request: plain }, { parts: [refactor, { kind: "docs" }], approved: true })).toEqual({});
  expect(declareWork({ request: plain }, { parts: [refactor, {}], approved: true })).toEqual(ASSUMED);
  expect(declareWork({ request: plain }, { parts: [], approved: true })).toEqual(ASSUMED);
});

test("[A-37] an agent can say that its work is a fix or a feature; one feature among the parts makes it one", () => {
  const parts = [{ kind: "docs" }, { kind: "fix" }, { kind: "feature" }] as const;
  expect(declareWork({ request: plain }, { parts })).toEqual({ declared: "feature" });
  expect(declareWork({ request: plain }, { parts: parts.slice(0, 2), approved: true })).toEqual({ declared: "fix" });
});

test.each<[string, RequestKind | undefined]>([
  ["Fix the rounding of tax", "fix"],
  ["please repair the login", "fix"],
  ["ABC-12: Fix the tax", "fix"],
  ["fix(tax): round down", "fix"],
  ["feat: half of a price", "feature"],
  ["refactor(cart): one loop", "refactor"],
  ["Rename `sum` to `total`", "refactor"],
  ["docs: how to install", "docs"],
  ["Update the README", "docs"],
  ["Fix a typo in the README", "docs"],
  ["Add an example to the docs", "docs"],
  ["Document the options of serve", "docs"],
  ["Add missing comments", "docs"],
  ["Add tests for the cart", "chore"],
  ["Bump vite to 8", "chore"],
  ["Update the dependencies", "chore"],
  ["Remove the unused helper", "chore"],
  ["Remove cheapest, which nobody uses", "chore"],
  ["Move the tests of prices to tests/unit", "chore"],
  ["Test that a discount of nothing leaves all", "chore"],
  ["Say in the README that prices are in cents", "docs"],
  ["Use what the tests ask for, and make the tests pass", undefined],
  ["Make the test suite pass", undefined],
  ["Use describe and it in the tests of prices", "chore"],
  ["Use subtests for the golden file", "chore"],
  ["Add half with tests", undefined],
  ["Split the total by rate and write tests", undefined],
  ["Add half and write the tests for it", undefined],
  ["Remove blanks from names", undefined],
  ["Format prices with two digits", undefined],
  ["Add a parser for comments", undefined],
  ["Add a comments endpoint", undefined],
  ["Add a guide line to the chart", undefined],
  ["Add a function that reads the README", undefined],
  ["Add a function square to the calculator", undefined],
  ["Let greet() say you", undefined],
  ["Update the README and add half, which gives half of a price", undefined],
  ["Refactor the prices and fix total, which is wrong without a basket", undefined],
  ["Document half and make it available from the price module", undefined],
  ["Add tests for half, and add half itself", undefined],
  ["Refactor the cart and add tests", "refactor"],
  ["Refactor the cart and make it simpler; rename sum", "refactor"],
  ["Update the README and fix the links", "docs"],
  ["Rename sum to total and fix all callers", "refactor"],
  ["Remove the unused helper and fix the imports", "chore"],
  ["Fix the typo", "fix"],
  ["", undefined],
])("[A-37] the request %j states %s", (request, kind) => {
  expect(readRequestKind(request)).toBe(kind);
});

test("[A-37] a typo counts as documentation only if nothing else changes", () => {
  expect(readRequestKind("Fix the typo", ["README.md"])).toBe("docs");
  expect(readRequestKind("Fix the typo", ["README.md", "src/tax.js"])).toBe("fix");
  expect(readRequestKind("Fix the rounding of tax", ["README.md"])).toBe("fix");
  expect(readRequestKind("Add a function square", ["README.md"])).toBeUndefined();
});

test("[A-37] a request about tests counts as such only if only tests changed", () => {
  const tests = ["tests/price.test.js"];
  expect(readRequestKind("Give the slow test two seconds before it is ended", tests)).toBe("chore");
  expect(readRequestKind("Use subtests for discounts", tests)).toBe("chore");
  expect(readRequestKind("Add a line to the golden file", ["testdata/discounts.golden"])).toBe("chore");
  expect(readRequestKind("Give the slow test two seconds", [...tests, "src/price.js"])).toBeUndefined();
  expect(readRequestKind("Add half with tests", tests)).toBeUndefined();
  expect(readRequestKind("Add half and a test", tests)).toBeUndefined();
  expect(readRequestKind("Make the slow test pass", tests)).toBeUndefined();
  expect(readRequestKind("Round tax to the nearest cent", tests)).toBeUndefined();
});
