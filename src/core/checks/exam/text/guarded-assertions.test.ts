import { expect, test } from "vitest";
import { findGuardedAssertions } from "./guarded-assertions.ts";

const JS = 'test("down", () => {\n  const left = discount(999, 10);\n  assert.equal(left, 900);\n});\n';
const PYTHON = "class A(TestCase):\n    def test_down(self):\n        self.assertEqual(discount(999), 900)\n";

const found = (path: string, before: string, from: string, to: string) =>
  findGuardedAssertions([{ path, status: "modified", before, after: before.replace(from, to) }]);

test.each([
  ["a.test.js", JS, "  assert.equal(left, 900);", "  if (left === undefined) {\n    assert.equal(left, 900);\n  }"],
  ["a.test.js", JS, "  assert.equal(left, 900);", "  try {\n    assert.equal(left, 900);\n  } catch {}"],
  ["a.test.js", JS, "  assert", "  return;\n  assert"],
  [
    "a.test.js",
    JS,
    "  assert.equal(left, 900);",
    "  new Promise(() => {}).then(() => {\n    assert.equal(left, 900);\n  });",
  ],
  ["test_a.py", PYTHON, "        self.assert", "        check = lambda: self.assert"],
  ["test_a.py", PYTHON, "        self.assert", "        if slow:\n            self.assert"],
])("[A-40] %s: an assertion that may no longer run is a caveat", (path, before, from, to) => {
  expect(found(path, before, from, to)).toEqual([expect.stringContaining("may no longer run")]);
});

test.each([
  ["a.test.js", JS, "  assert.equal(left, 900);", "  for (const one of [left]) {\n    assert.equal(left, 900);\n  }"],
  ["a.test.js", JS, "const left", "const other = total([]);\n  const left"],
  ["a.test.js", JS, "test(", "describe('x', () => {\ntest("],
  ["test_a.py", PYTHON, "        self.assert", "        with self.subTest(1):\n            self.assert"],
])("%s: a loop, a group or another line above it changes nothing", (path, before, from, to) => {
  expect(found(path, before, from, to)).toEqual([]);
});
