import { expect, test } from "vitest";
import { isAddingSources } from "./listed-sources.ts";

const BEFORE = "add_library(shop src/price.cpp)\nadd_executable(all test/a.cpp)\nadd_test(NAME all COMMAND all)\n";
const lists = (from: string, to: string) =>
  isAddingSources({ path: "CMakeLists.txt", before: BEFORE, after: BEFORE.replace(from, to) });

test("a source of the product that is built too decides nothing about the tests", () => {
  expect(lists("price.cpp)", "price.cpp\n  src/vat.cpp)")).toBe(true);
});

test.each([
  ["a test", "a.cpp)", "a.cpp test/b.cpp)"],
  ["a word of a test's line", "COMMAND all)", "COMMAND all src/vat.cpp)"],
  ["another command", "add_test", "set(X 1)\nadd_test"],
  ["something that is gone", "src/price.cpp", ""],
])("[A-26] %s may decide about them", (_what, from, to) => {
  expect(lists(from, to)).toBe(false);
});
