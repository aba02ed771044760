import { expect, test } from "vitest";
import { placedAmong, placesIn, placesOfSettings } from "./places.ts";

function isPlaced(path: string, places: readonly string[]): boolean {
  const { exam, unsure } = placedAmong([path], [], { places });
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
  expect(isPlaced(path, placesIn(line))).toBe(true);
});

test.each([
  ["mocha 'src/**/*.js'", "src/price.js"],
  ["node --test '**/*.js'", "price.js"],
  ["pytest --cov=till till", "till/price.py"],
  ["mocha --reporter dot", "dot/price.js"],
  ["mocha .", "price.js"],
  ["eslint unit/*.js", "unit/price.js"],
  ["node --test unit/*.js", "unit/data.json"],
])("by %j no test lies at %s", (line, path) => {
  expect(isPlaced(path, placesIn(line))).toBe(false);
});

test.each([
  ["[pytest]\npython_files = check_*.py\n", "checks/check_price.py"],
  ['export default { test: { include: ["unit/**/*.ts"] } };\n', "unit/price.ts"],
  ['spec: "unit/*.js"\n', "unit/price.js"],
])("[A-26] by the settings %j a test lies at %s", (text, path) => {
  expect(isPlaced(path, placesOfSettings(text))).toBe(true);
});

test("what is left out, or what is all of the sources, is no place of tests", () => {
  const text = 'exclude: ["unit/**/*.ts"],\n  coverage: { include: ["src/**/*.ts"] },\n';
  expect(placesOfSettings(text)).toEqual([]);
});

test("[A-26] what lies among tests and is used by code is code; a test among the sources is neither", () => {
  const places = ["unit/*.js", "lib/*.check.js"];
  const use = { from: "main.js", to: "unit/shared.js", by: "code", setUp: false, text: "" } as const;
  const files = ["unit/price.js", "unit/shared.js", "lib/price.check.js"];
  expect(placedAmong(files, [use], { places })).toEqual({ exam: ["unit/price.js"], unsure: ["lib/price.check.js"] });
});
