import { CI, config, type Files, type Project } from "./project.ts";

export const PRICE = `export const total = (items) => items.reduce((sum, { cents, count = 1 }) => sum + cents * count, 0);

export const discount = (cents, percent) => {
  if (percent < 0 || percent > 100) throw new RangeError("percent must lie between 0 and 100");
  return cents - Math.floor((cents * percent) / 100);
};

export const cheapest = (items) => items.toSorted((a, b) => a.cents - b.cents)[0];
`;

const TEXT = `export const money = (cents) => (cents / 100).toFixed(2) + " EUR";

export const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
`;

const RECEIPT = `import { total } from "./price.js";
import { money } from "./text.js";

export const receipt = (items) =>
  [...items.map(({ name, cents, count = 1 }) => count + " x " + name + "  " + money(cents)), "total  " + money(total(items))]
    .map((line) => line + "\\n")
    .join("");
`;

export const PRICE_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { cheapest, discount, total } from "../src/price.js";
import { BASKET } from "./support/basket.js";

test("adds prices by count", () => {
  assert.equal(total(BASKET), 1150);
});

test("an empty basket costs nothing", () => {
  assert.equal(total([]), 0);
});

test("takes a percentage off", () => {
  assert.equal(discount(1000, 10), 900);
});

test("rounds the discount down", () => {
  assert.equal(discount(999, 10), 900);
});

test("refuses a discount of more than all", () => {
  assert.throws(() => discount(1000, 101), RangeError);
});

test("finds the cheapest and leaves the list alone", () => {
  const items = [{ cents: 3 }, { cents: 1 }];
  assert.equal(cheapest(items).cents, 1);
  assert.equal(items[0].cents, 3);
});
`;

const TEXT_TEST = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { money, slug } from "../src/text.js";

const CASES = JSON.parse(readFileSync(new URL("./data/slugs.json", import.meta.url), "utf8"));

for (const { text, expected } of CASES) {
  test("slug of " + JSON.stringify(text), () => {
    assert.equal(slug(text), expected);
  });
}

test("money has two digits", () => {
  assert.equal(money(5), "0.05 EUR");
  assert.equal(money(1230), "12.30 EUR");
});
`;

const RECEIPT_TEST = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { receipt } from "../src/receipt.js";
import { BASKET } from "./support/basket.js";

test("a receipt looks as it always did", () => {
  const kept = readFileSync(new URL("./snapshots/receipt.txt", import.meta.url), "utf8");
  assert.equal(receipt(BASKET), kept);
});
`;

const CASES = [
  { text: "Green Tea", expected: "green-tea" },
  { text: "  Salt & Pepper! ", expected: "salt-pepper" },
  { text: "snake_case", expected: "snake-case" },
];

export const BUILD = 'for file in src/*.js; do node --check "$file" || exit 1; done';

export const FILES: Files = {
  "package.json": `${JSON.stringify({ name: "till", type: "module", private: true, scripts: { test: "node --test" } }, null, 2)}\n`,
  "README.md": "# till\n\nPrices, receipts and names for addresses.\n",
  "src/price.js": PRICE,
  "src/text.js": TEXT,
  "src/receipt.js": RECEIPT,
  "tests/support/basket.js":
    'export const BASKET = [{ name: "tea", cents: 450, count: 2 }, { name: "cup", cents: 250 }];\n',
  "tests/data/slugs.json": `${JSON.stringify(CASES, null, 2)}\n`,
  "tests/snapshots/receipt.txt": "2 x tea  4.50 EUR\n1 x cup  2.50 EUR\ntotal  11.50 EUR\n",
  "tests/price.test.js": PRICE_TEST,
  "tests/text.test.js": TEXT_TEST,
  "tests/receipt.test.js": RECEIPT_TEST,
  ".github/workflows/ci.yml": CI("node --test"),
  ".signalbox/config.yaml": config({ build: BUILD, test: "node --test" }),
};

export const common = {
  language: "javascript",
  sources: ["src"],
  exam: ["node", "--test", "--test-reporter=tap"],
  passed: /^ *ok \d+ - (.+?)(?: # .*)?$/gm,
} as const;

export const manifest = (more: object): string =>
  `${JSON.stringify({ name: "till", type: "module", private: true, ...more }, null, 2)}\n`;

export const js: Project = { ...common, files: FILES };

/** The same, tested by the script of its package.json. */
export const npm: Project = {
  ...common,
  files: { ...FILES, ".signalbox/config.yaml": config({ build: BUILD, test: "npm test" }) },
};

const TAX = "export const tax = (cents, percent) => Math.floor((cents * percent) / 100);\n";
const TAX_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { tax } from "../src/tax.js";

test("tax is a share of the price", () => {
  assert.equal(tax(1000, 19), 190);
});

test("tax is rounded to the nearest cent", () => {
  assert.equal(tax(999, 19), 190);
});
`;

/** One test was red before anybody came. */
export const red: Project = {
  ...common,
  files: { ...FILES, "src/tax.js": TAX, "tests/tax.test.js": TAX_TEST },
};

const FLAKY_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";

test("the clock stands at an even millisecond", () => {
  assert.equal(Date.now() % 2, 0);
});
`;

/** One test passes about every second time, whatever anybody does. */
export const flaky: Project = { ...common, files: { ...FILES, "tests/clock.test.js": FLAKY_TEST } };

const withoutTests = Object.fromEntries(
  Object.entries(FILES).filter(([path]) => !path.startsWith("tests/") && !path.startsWith(".github/")),
);

/** It can be built, and has no test. */
export const untested: Project = {
  ...common,
  files: {
    ...withoutTests,
    "package.json": '{ "name": "till", "type": "module" }\n',
    ".signalbox/config.yaml": config({ build: BUILD }),
  },
};

/** Nothing is configured. */
export const plain: Project = {
  ...common,
  files: {
    ...withoutTests,
    "package.json": '{ "name": "till", "type": "module" }\n',
    ".signalbox/config.yaml": "commands: {}\n",
  },
};
