import { expect, test } from "vitest";
import { isData, lostExpectations } from "./expectations.ts";

const DOCTEST = 'def add(a, b):\n    """\n    >>> add(2, 3)\n    5\n\n    Adds.\n    """\n    return a + b\n';

test.each([
  ["the output of an example", DOCTEST, DOCTEST.replace("    5\n", "    -1\n"), ["5"]],
  [
    "an assertion",
    "self.assertEqual(add(2, 3), 5)\nx = 1",
    "self.assertEqual(add(2, 3), -1)",
    ["self.assertEqual(add(2, 3), 5)"],
  ],
  ["a test in a source", "assert.equal(add(2, 3), 5);", "", ["assert.equal(add(2, 3), 5);"]],
])("%s that is gone is lost", (_what, before, after, lost) => {
  expect(lostExpectations(before, after)).toEqual(lost);
});

test("code that changes and expectations that move or are added lose nothing", () => {
  expect(lostExpectations(DOCTEST, DOCTEST.replace("a + b", "b + a").replace("Adds.", "Adds two."))).toEqual([]);
  expect(lostExpectations("assert a\nassert b", "  assert b\n  assert a\n  assert c")).toEqual([]);
});

test("tables and outputs are data; sources, manifests and what people read are not", () => {
  expect(["cases.json", "examples/sum.out", "data/rates.yaml", "schema.xml"].every(isData)).toBe(true);
  const others = ["src/a.js", "README.md", "docs/a.json", "package-lock.json", "go.sum", "LICENSE", ".gitignore"];
  expect(others.some(isData)).toBe(false);
});
