import { expect, test } from "vitest";
import { findSettingsPlaces, findTestPlaces, selectPlacedFiles } from "./test-places.ts";

function isPlaced(path: string, places: readonly string[]): boolean {
  const { exam, unsure } = selectPlacedFiles([path], [], { places });
  return [...exam, ...unsure].length > 0;
}

test.each([
  ["node --test 'unit/**/*.js'", "unit/a/price.js"],
  ["node --test unit/*.js", "unit/price.js"],
  ["npx mocha unit", "unit/deep/price.js"],
  ["python3 -m unittest discover -p 'check_*.py'", "checks/check_price.py"],
  ["pytest -o python_files=check_*.py", "check_price.py"],
  ["tape 'unit/*.js' | tap-spec", "unit/price.js"],
  ["vitest run 'lib/**/*.check.ts'", "lib/price.check.ts"],
])("[A-26] by %j a test lies at %s", (line, path) => {
  expect(isPlaced(path, findTestPlaces(line))).toBe(true);
});

test.each([
  ["mocha 'src/**/*.js'", "src/price.js"],
  ["node --test '**/*.js'", "price.js"],
  ["pytest --cov=till till", "till/price.py"],
  ["mocha --reporter dot", "dot/price.js"],
  ["mocha .", "price.js"],
  ["jest --collectCoverageFrom 'server/**/*.js'", "server/price.js"],
  ["eslint unit/*.js", "unit/price.js"],
  ["node --test unit/*.js", "unit/data.json"],
])("by %j no test lies at %s", (line, path) => {
  expect(isPlaced(path, findTestPlaces(line))).toBe(false);
});

test.each([
  ["pytest.ini", "[pytest]\npython_files = check_*.py\n", "checks/check_price.py"],
  ["vitest.config.ts", 'export default { test: { include: ["unit/**/*.ts"] } };\n', "unit/price.ts"],
  [".mocharc.yml", 'spec: "unit/*.js"\n', "unit/price.js"],
])("[A-26] by the settings of %s, %j, a test lies at %s", (file, text, path) => {
  expect(isPlaced(path, findSettingsPlaces({ path: file, text }))).toBe(true);
});

test.each([
  ["vitest.config.ts", 'exclude: ["unit/**/*.ts"],\n  coverage: {\n    include: ["server/**/*.ts"],\n  },\n'],
  [".nycrc", '{ "include": ["server/**/*.js"] }\n'],
  ["tsconfig.spec.json", '"include": ["server/**/*.ts"]\n'],
])("what %s leaves out, counts or compiles is no place of tests", (path, text) => {
  expect(findSettingsPlaces({ path, text })).toEqual([]);
});

test("[A-26] what lies among tests and is used by code is doubtful; a test among the sources is neither", () => {
  const places = ["unit/*.js", "lib/*.check.js"];
  const use = { from: "main.js", to: "unit/shared.js", by: "code", setUp: false, text: "" } as const;
  const tested = { ...use, from: "unit/price.js", to: "unit/basket.js", by: "exam" } as const;
  const files = ["unit/price.js", "unit/shared.js", "unit/basket.js", "lib/price.check.js"];
  expect(selectPlacedFiles(files, [use, tested], { places })).toEqual({
    exam: ["unit/price.js"],
    unsure: ["unit/basket.js", "lib/price.check.js"],
    doubtful: ["unit/shared.js"],
  });
});
