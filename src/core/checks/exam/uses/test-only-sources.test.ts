import { expect, test } from "vitest";
import { readOwnPackages } from "./own-packages.ts";
import { findTestOnlySources } from "./test-only-sources.ts";
import { type FileUse, findUses } from "./use.ts";

const FILES = ["src/fee.js", "src/promise.js"];
const TEST = [
  { path: "tests/all.test.js", text: 'import { fee } from "../src/fee.js";' },
  { path: "tests/all.test.js", text: 'import { TENTH } from "../src/promise.js";' },
];
const used = (...lines: readonly { path: string; text: string }[]): readonly FileUse[] =>
  findUses([...TEST, ...lines], FILES) ?? [];
const CODE_USES_FEE = { path: "src/till.js", text: 'import { fee } from "./fee.js";' };

test("a source that only tests import may hold what they expect of other code of the change", () => {
  expect(findTestOnlySources(FILES, used(CODE_USES_FEE))).toEqual(["src/promise.js"]);
});

test("either of two such sources may", () => {
  expect(findTestOnlySources(FILES, used())).toEqual(FILES);
});

test.each([
  ["code imports it", { path: "src/till.js", text: 'import { TENTH } from "./promise.js";' }],
  ["the manifest names it", { path: "package.json", text: '  "main": "src/promise.js",' }],
  ["a test is named after it", { path: "tests/promise.test.js", text: 'import { TENTH } from "../src/promise.js";' }],
  ["it imports other code of the change", { path: "src/promise.js", text: 'import { fee } from "./fee.js";' }],
])("it is the product's where %s", (_why, line) => {
  expect(findTestOnlySources(FILES, used(CODE_USES_FEE, line))).not.toContain("src/promise.js");
});

test("it holds no expectation if no test imports it beside other code of the change", () => {
  const uses = findUses(TEST.slice(1), ["src/promise.js"]) ?? [];
  expect(findTestOnlySources(["src/promise.js"], uses)).toEqual([]);
});

test("entry points of users are product code, and test names are handled elsewhere", () => {
  const lines = ["src/index.js", "src/testing/fakes.js"].map((path) => ({
    path: "tests/all.test.js",
    text: `import "../${path}";`,
  }));
  const files = ["src/fee.js", "src/index.js", "src/testing/fakes.js"];
  const uses = findUses([...TEST, ...lines, CODE_USES_FEE], files) ?? [];
  expect(findTestOnlySources(files, uses)).toEqual([]);
});

test("[A-38] a package of Go that only tests import meets the sources beside its test", () => {
  const line = { path: "price_test.go", text: '\t"till/check"' };
  const own = readOwnPackages([{ path: "go.mod", text: "module till\n" }]);
  const files = ["check/check.go", "price.go"];
  expect(findTestOnlySources(files, findUses([line], files, own) ?? [], own)).toEqual(["check/check.go"]);
  expect(findTestOnlySources(["check/check.go"], findUses([line], files, own) ?? [], own)).toEqual([]);
});

test("[A-38] a source with a test of its own is asked about where another test asserts through it", () => {
  const uses = used(CODE_USES_FEE, {
    path: "tests/promise.test.js",
    text: 'import { TENTH } from "../src/promise.js";',
  });
  expect(findTestOnlySources(FILES, uses, undefined, new Set(["src/promise.js"]))).toEqual(["src/promise.js"]);
});
