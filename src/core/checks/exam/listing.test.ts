import { expect, test } from "vitest";
import { isBeside, isListing } from "./listing.ts";

test.each([
  "for folder, _, names in os.walk(here):",
  'found, _ := filepath.Glob("*/*.rate")',
  "import { globSync } from 'glob';",
  "for path in Path('.').rglob('*'):",
  'for (const auto& each : std::filesystem::directory_iterator(".")) {',
  'const all = import.meta.glob("./*.json");',
  'for entry in WalkDir::new(".") {',
  'fs::read_dir(".")?',
])("%s reads whatever lies in a folder", (text) => {
  expect(isListing({ path: "a", text })).toBe(true);
});

test("a global variable, and a word that ends like such a call, list nothing", () => {
  expect(isListing({ path: "a", text: "globalThis.x = global;" })).toBe(false);
});

test("[A-26] a source reads the files below it; at the top only if it reads folders", () => {
  const beside = (path: string, source: string, text: string) => isBeside(path, { path: source, text });
  expect(beside("shop/spec/each.json", "shop/core.py", "os.walk(here)")).toBe(true);
  expect(beside("spec/each.json", "shop/core.py", "os.walk(here)")).toBe(false);
  expect(beside("testdata/each.rate", "price.go", 'filepath.Glob("*/*.rate")')).toBe(true);
  expect(beside("testdata/each.rate", "price.go", 'filepath.Glob("*.rate")')).toBe(false);
  expect(beside("spec/each.json", "core.py", "os.walk('.')")).toBe(true);
});
