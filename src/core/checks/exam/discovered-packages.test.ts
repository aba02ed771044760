import { expect, test } from "vitest";
import { findDiscoveredPackages, isPackage } from "./discovered-packages.ts";

test("a Python package is recognized by its entry file; a folder of tests is not a package", () => {
  expect(["compat/__init__.py", "src/a/b/__init__.py"].every(isPackage)).toBe(true);
  expect(["__init__.py", "tests/__init__.py", "compat/price.py"].some(isPackage)).toBe(false);
});

const COMPAT = "compat/__init__.py";
const line = (path: string, text: string) => ({ path, text });

test.each([
  ["nobody", []],
  ["only itself", [line("compat/a.py", "from compat import b")]],
  ["only a name like its own", [line("till/a.py", "import compatible")]],
])("[A-26] a package that %s imports is loaded by the search for tests alone", (_who, lines) => {
  expect(findDiscoveredPackages({ packages: [COMPAT], lines })).toEqual([COMPAT]);
});

test.each([
  ["code", line("till/a.py", "import compat")],
  ["code, by a module of it", line("till/a.py", "from compat.a import b")],
  ["a test in it", line("compat/tests/test_a.py", "from ..a import b")],
  ["code, over several lines", line("till/a.py", "    compat,")],
])("a package that %s imports is code", (_who, said) => {
  expect(findDiscoveredPackages({ packages: [COMPAT], lines: [said] })).toEqual([]);
});

test("[A-26] only existing files count as importers of a new package", () => {
  const added = new Set([COMPAT, "till/cli.py"]);
  const by = (...lines: ReturnType<typeof line>[]) => findDiscoveredPackages({ packages: [COMPAT], lines, added });
  expect(by(line("till/cli.py", "import compat"))).toEqual([COMPAT]);
  expect(by(line("till/price.py", 'NAME = "compat"'))).toEqual([COMPAT]);
  expect(by(line("till/price.py", "from compat import VERSION"))).toEqual([]);
});
