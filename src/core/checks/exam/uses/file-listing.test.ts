import { expect, test } from "vitest";
import { isImporting, mayListFiles, needsImport } from "./file-listing.ts";

test.each([
  'import { existsSync } from "node:fs";',
  "const fs = require('fs');",
  'process.getBuiltinModule("f" + "s")',
  "const found = await import(name);",
  "os.path.isdir(here)",
  "from pathlib import Path",
  "importlib.util.find_spec(name)",
  'if _, err := os.Stat("checks"); err == nil {',
  "std::filesystem::exists(here)",
  "File.exist?(here)",
])("%s can find out what lies around it", (line) => {
  expect(mayListFiles(line)).toBe(true);
});

test.each([
  'import { total } from "./price.js";',
  "export const open = (door) => door.open;",
  "def path(self):\n    return self.parts",
  "items.filter((each) => each.exists)",
])("%s cannot", (line) => {
  expect(mayListFiles(line)).toBe(false);
});

test.each([
  'import rates from "../rates.json" with { type: "json" };',
  'export { fee } from "../checks/fee.js";',
  '} from "../checks/fee.js";',
  'const rates = require("../rates.json");',
  'return import("../checks/fee.js");',
  "from checks.fee import fee",
])("%s brings a file in", (line) => {
  expect(isImporting(line)).toBe(true);
});

test.each([
  'existsSync(new URL("../checks/fee.js", import.meta.url))',
  'const file = join(root, "checks/fee.js");',
  'open("checks/fee.txt")',
])("%s only looks for it", (line) => {
  expect(isImporting(line)).toBe(false);
});

test("a build takes in sources that nobody imports, but for those of JavaScript and Python", () => {
  expect(["a.js", "a.py", "a.md", "a.json"].every(needsImport)).toBe(true);
  expect(["a.cpp", "a.go", "a.swift", "A.java"].some(needsImport)).toBe(false);
});
