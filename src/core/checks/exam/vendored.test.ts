import { expect, test } from "vitest";
import { findPackageUses, findVendored, selectExamPackages, withHeaders } from "./vendored.ts";

test.each([
  ["node_modules/agree/index.js", "node_modules/agree", "agree"],
  ["node_modules/@a/b/lib/c.js", "node_modules/@a/b", "@a/b"],
  ["node_modules/a/node_modules/b/c.js", "node_modules/a/node_modules/b", "b"],
  ["vendor/github.com/own/check/check.go", "vendor/github.com/own/check", "github.com/own/check"],
  ["third_party/check/check.hpp", "third_party/check", "check"],
  ["web/_vendor/six/__init__.py", "web/_vendor/six", "six"],
  ["third_party/catch.hpp", "third_party/catch.hpp", "catch"],
  ["vendor/catch.hpp", "vendor/catch.hpp", "catch"],
])("%s lies in the package %s", (path, root, name) => {
  expect(findVendored(path)).toEqual({ root, names: [name] });
});

test.each(["src/vendor.js", "src/vendor/dto/list.ts", "src/vendors/list.js", "app/external/api.ts"])(
  "%s lies in no package",
  (path) => {
    expect(findVendored(path)).toBeUndefined();
  },
);

function partedBy(lines: Readonly<Record<string, string>>, paths: readonly string[], added: readonly string[] = []) {
  const packages = paths.flatMap((path) => findVendored(path) ?? []);
  const said = Object.entries(lines).map(([path, text]) => ({ path, text }));
  return selectExamPackages(findPackageUses({ lines: said, packages }, new Set(added)) ?? []);
}
const AGREE = "node_modules/agree/index.js";
const exam = new Set(["node_modules/agree"]);

test.each([
  ["test/a.test.js", 'import agree from "agree";', AGREE],
  ["test/a.test.js", "const near = require('agree/near')", AGREE],
  ["tests/a_test.cpp", '#include "../third_party/check/check.hpp"', "third_party/check/check.hpp"],
  ["tests/a_test.cpp", "#include <check.hpp>", "third_party/check/check.hpp"],
  ["pkg/a_test.go", '\t"github.com/own/check/must"', "vendor/github.com/own/check/must/must.go"],
  ["tests/test_a.py", "from vendor.agree import near", "vendor/agree/__init__.py"],
  ["tests/test_a.py", "import agree", "vendor/agree/__init__.py"],
])("[A-26] a package that only %s imports, by %j, is the exam", (path, text, file) => {
  expect([...partedBy({ [path]: text }, [file]).exam]).toEqual([findVendored(file)?.root]);
});

test("[A-26] a package that only such packages use is the exam too", () => {
  const lines = { "test/a.test.js": 'import "agree";', [AGREE]: 'import "near";' };
  expect(partedBy(lines, [AGREE, "node_modules/near/index.js"]).exam).toEqual(new Set([...exam, "node_modules/near"]));
});

test("[A-26] a package that code uses is code, and so is what it uses", () => {
  const lines = {
    "test/a.test.js": 'import "agree";',
    "src/a.js": 'import "left";',
    "node_modules/left/i.js": '"agree"',
  };
  expect(partedBy(lines, [AGREE, "node_modules/left/i.js"]).exam).toEqual(new Set());
});

test("a package that is named by nothing, or only by a manifest or a recipe, is code", () => {
  const lines = { "package.json": '"agree": "^1.0.0"', Makefile: "\tcc vendor/agree/a.c", "README.md": '"agree"' };
  expect(partedBy(lines, [AGREE, "vendor/agree/a.c"])).toEqual({ exam: new Set(), unsure: new Set() });
});

test("[A-26] a package is known by its headers too", () => {
  const found = findVendored("third_party/catch2/catch.hpp");
  if (!found) throw new Error("a package");
  const packages = [withHeaders(found, ["third_party/catch2/catch.hpp", "src/other.hpp"])];
  const lines = [{ path: "tests/a_test.cpp", text: '#include "catch.hpp"' }];
  expect(packages[0]?.names).toEqual(["catch2", "catch.hpp"]);
  expect(selectExamPackages(findPackageUses({ lines, packages }, new Set()) ?? []).exam).toEqual(
    new Set(["third_party/catch2"]),
  );
});

test("[A-26] a package used by an undecided helper is undecided", () => {
  const lines = { "src/testing/render.js": 'import "agree";' };
  expect(partedBy(lines, [AGREE])).toEqual({ exam: new Set(), unsure: exam });
});

test("[A-26] a package that only code as new as itself uses is undecided", () => {
  const lines = { "test/a.test.js": 'import "agree";', "src/new.js": 'import "agree";' };
  expect(partedBy(lines, [AGREE], ["src/new.js"])).toEqual({ exam: new Set(), unsure: exam });
});
