import { expect, test } from "vitest";
import { isShadow, isTakingPlace } from "./shadow.ts";

test.each([
  "difflib.py",
  "iniconfig/__init__.py",
  "traceback.pyc",
  "json/__init__.cpython-311-x86_64-linux-gnu.so",
  "src/typing.py",
  "__init__.py",
])("[A-26] %s stands in the place of a module that test programs load", (path) => {
  expect(isShadow(path)).toBe(true);
});

test.each(["till/json.py", "logging/own.py", "price.py", "compat/__init__.py", "json/index.js"])(
  "%s stands in no other module's place",
  (path) => {
    expect(isShadow(path)).toBe(false);
  },
);

const FILES = new Set(["till/price.h", "till/fee.py", "tests/helper.py", "src/main/java/shop/Fee.java"]);
const takes = (path: string, from: string, text: string) =>
  isTakingPlace({ path, line: { path: from, text }, files: FILES });

test.each([
  ["include/assert.h", "tests/all.c", "#include <assert.h>"],
  ["include/catch2/catch_all.hpp", "tests/all.cpp", '#include "catch2/catch_all.hpp"'],
  ["assertpy.py", "tests/test_fee.py", "from assertpy import assert_that"],
  ["src/hamcrest/__init__.py", "tests/test_fee.py", "import hamcrest.core"],
  ["lib/minitest/autorun.rb", "test/fee_test.rb", 'require "minitest/autorun"'],
  ["src/main/java/org/junit/Assert.java", "src/test/java/FeeTest.java", "import static org.junit.Assert.assertEquals;"],
])("[A-38] %s takes the place of what was loaded from elsewhere", (path, from, text) => {
  expect(takes(path, from, text)).toBe(true);
});

test.each([
  ["a header that the repository had", "include/till/price.h", "tests/all.c", '#include "till/price.h"'],
  ["a header of another name", "include/fee.h", "tests/all.c", "#include <assert.h>"],
  ["a module beside the test", "helper.py", "tests/test_fee.py", "import helper"],
  ["a module within a package", "fee.py", "till/price.py", "from .fee import fee"],
  ["a package that was there", "src/till/__init__.py", "tests/test_fee.py", "import till"],
  ["a class that was there", "lib/java/shop/Fee.java", "src/test/java/FeeTest.java", "import shop.Fee;"],
])("%s takes no place", (_what, path, from, text) => {
  expect(takes(path, from, text)).toBe(false);
});
