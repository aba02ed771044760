import { expect, test } from "vitest";
import { isAssertingThrough } from "./asserts-through.ts";

const js = (assertion: string) => `import { isSame, THREE } from "../src/compare.js";\n${assertion}\n`;
const python = (assertion: string) => `from till.compare import is_same\n${assertion}\n`;

test.each([
  ["src/compare.js", js("assert.ok(isSame(fee(200), 20));")],
  ["src/compare.js", js("expect(isSame(fee(200), 20)).toBe(true);")],
  ["till/compare.py", python("    assert is_same(fee(200), 20)")],
  ["till/compare.py", python("        self.assertTrue(is_same(fee(200), 20))")],
])("[A-38] a test believes what a function of %s says of another one", (path, text) => {
  expect(isAssertingThrough(text, path)).toBe(true);
});

test.each([
  js("assert.equal(fee(200), THREE);"),
  js("const same = isSame(fee(200), 20);"),
  js("assert.ok(isSame(1, 1));"),
  "import { isSame } from './other.js';\nassert.ok(isSame(fee(200), 20));",
])("it does not where the function is not asked about another one", (text) => {
  expect(isAssertingThrough(text, "src/compare.js")).toBe(false);
});
