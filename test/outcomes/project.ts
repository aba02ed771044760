import { stringify } from "yaml";
import type { Files } from "../lies/projects/project.ts";

export const SOURCE = "src/price.js";
export const TESTS = "tests/price.test.js";
export const ROUNDING = "tests/rounding.test.js";

export const CODE = `export const twice = (cents) => cents * 2;
export const half = (cents) => cents / 2;
`;
export const THRICE = `${CODE}export const thrice = (cents) => cents * 3;\n`;

const renderTest = (title: string, claim: string): string => `test("${title}", () => assert.equal(${claim}));\n`;

export const testFile = (...tests: readonly string[]): string =>
  `import assert from "node:assert/strict";
import { test } from "node:test";
import * as price from "../src/price.js";

${tests.join("")}`;

export const DOUBLES = renderTest("twice doubles", "price.twice(3), 6");
export const SQUARES = renderTest("twice doubles", "price.twice(3), 9");
export const HALVES = renderTest("half halves", "price.half(6), 3");
export const TREBLES = renderTest("thrice trebles", "price.thrice(3), 9");
/** The first test failed before the run, and only one of the two can pass. */
const SWAPPING = [
  renderTest("half rounds down", "price.half(5), 2"),
  renderTest("half is exact", "price.half(5), 2.5"),
];

/** The smallest project with tests: each file is one start of Node, and there are no dependencies. */
export const project = (settings: { readonly commands: Files; readonly [name: string]: unknown }): Files => ({
  "package.json": '{ "name": "till", "type": "module", "private": true }\n',
  "README.md": "# till\n",
  "state.txt": "fine\n",
  "check.sh": "exit 0\n",
  [SOURCE]: CODE,
  [TESTS]: testFile(DOUBLES, HALVES),
  [ROUNDING]: testFile(...SWAPPING),
  ".signalbox/config.yaml": stringify(settings),
});
