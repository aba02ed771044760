import { expect, test } from "vitest";
import { isShadow } from "./shadow.ts";

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
