import { expect, test } from "vitest";
import { classifyByUse, findUses } from "./use.ts";

type Texts = Readonly<Record<string, string>>;

function halvesOf(files: readonly string[], texts: Texts) {
  const lines = Object.entries(texts).flatMap(([path, text]) => text.split("\n").map((each) => ({ path, text: each })));
  const { exam, doubtful } = classifyByUse({ files, uses: findUses(lines, files) ?? [] });
  return { exam: [...exam], doubtful };
}

const SPEAKING: Record<string, Texts> = {
  "a route of the product": { "src/server.js": 'export const routes = { "/api/price": total };' },
  "a link of the product": { "src/menu.js": 'const links = ["api/price"];' },
  "the settings of a linter": { "knip.json": '{ "entry": ["test/api/price.js"] }' },
};

test.each(Object.entries(SPEAKING))("[A-26] a test is no code because %s looks like its path", (_what, texts) => {
  expect(halvesOf(["test/api/price.js"], texts).exam).toEqual(["test/api/price.js"]);
});

const TEST = 'import { same } from "./helpers/money.js";';
const BENCH = 'import { same } from "../test/helpers/money.js";';

test("[A-26] a helper among the tests is the exam where tests import it, whoever else does", () => {
  const texts = { "test/price.test.js": TEST, "bench/bench.js": BENCH };
  expect(halvesOf(["test/helpers/money.js"], texts).exam).toEqual(["test/helpers/money.js"]);
});

test("[A-26] a file among the tests that only code imports is doubtful", () => {
  const texts = { "bench/bench.js": BENCH };
  expect(halvesOf(["test/helpers/money.js"], texts)).toEqual({ exam: [], doubtful: ["test/helpers/money.js"] });
});

test("[A-26] a helper outside of the tests is doubtful where tests and code import it, and so is what it imports", () => {
  const files = ["testing/money.js", "testing/tolerance.js"];
  const texts = {
    "src/price.test.js": 'import { same } from "../testing/money.js";',
    "seed/seed.js": 'import { same } from "../testing/money.js";',
    "testing/money.js": 'import { slack } from "./tolerance.js";',
  };
  expect(halvesOf(files, texts)).toEqual({ exam: [], doubtful: files });
});

test("[A-26] a helper that has a test of its own is doubtful where another test imports it", () => {
  const own = { "testing/money.test.js": 'import { same } from "./money.js";' };
  expect(halvesOf(["testing/money.js"], own)).toEqual({ exam: [], doubtful: [] });
  const texts = { ...own, "src/price.test.js": 'import { same } from "../testing/money.js";' };
  expect(halvesOf(["testing/money.js"], texts)).toEqual({ exam: [], doubtful: ["testing/money.js"] });
});

test("a source of the product that is named like a test is code where only code and its own test import it", () => {
  const texts = {
    "src/shop.js": 'import { report } from "./test-report.js";',
    "src/test-report.test.js": 'import { report } from "./test-report.js";',
  };
  expect(halvesOf(["src/test-report.js"], texts)).toEqual({ exam: [], doubtful: [] });
});
