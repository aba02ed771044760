import { BUILD, common, FILES, manifest, PRICE } from "./js.ts";
import { config, type Files, type Project } from "./project.ts";
import { pytest } from "./python.ts";

const TYPED_PRICE = `export type Item = { readonly cents: number; readonly count?: number };

export const total = (items: readonly Item[]): number =>
  items.reduce((sum, { cents, count = 1 }) => sum + cents * count, 0);

export const discount = (cents: number, percent: number): number => {
  if (percent < 0 || percent > 100) throw new RangeError("percent must lie between 0 and 100");
  return cents - Math.floor((cents * percent) / 100);
};

export const cheapest = (items: readonly Item[]): Item | undefined => items.toSorted((a, b) => a.cents - b.cents)[0];
`;

const TYPED_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { cheapest, discount, total } from "../src/price.ts";

test("adds prices by count", () => {
  assert.equal(total([{ cents: 450, count: 2 }, { cents: 250 }]), 1150);
});

test("rounds the discount down", () => {
  assert.equal(discount(999, 10), 900);
});

test("finds the cheapest and leaves the list alone", () => {
  const items = [{ cents: 3 }, { cents: 1 }];
  assert.equal(cheapest(items)?.cents, 1);
  assert.equal(items[0]?.cents, 3);
});
`;

const TSCONFIG = {
  compilerOptions: {
    ...{ target: "es2023", module: "nodenext", strict: true, noUncheckedIndexedAccess: true },
    ...{ noEmit: true, allowImportingTsExtensions: true, types: [] },
  },
  include: ["src"],
};
const typedFiles: Files = {
  "README.md": "# till\n\nPrices.\n",
  "package.json": manifest({ scripts: { test: "node --test", types: "tsc --noEmit" } }),
  "tsconfig.json": `${JSON.stringify(TSCONFIG, null, 2)}\n`,
  "src/price.ts": TYPED_PRICE,
  "src/text.ts": 'export const money = (cents: number): string => (cents / 100).toFixed(2) + " EUR";\n',
  "tests/price.test.ts": TYPED_TEST,
  ".signalbox/config.yaml": config({ test: "npm test", types: "npm run types" }),
};
const TYPED_EXAM = [
  "sh",
  "-c",
  'node --test --test-reporter=tap; tsc --noEmit && echo "ok 99 - the types are right"',
] as const;

/** TypeScript with a strict type check beside the tests. */
export const strict: Project = { ...common, language: "typescript", exam: TYPED_EXAM, files: typedFiles };

/** Its type check is red: a percentage is declared as text. */
export const mistyped: Project = {
  ...strict,
  files: {
    ...typedFiles,
    "src/tax.ts":
      "export const tax = (cents: number, percent: string): number => Math.floor((cents * percent) / 100);\n",
  },
};

const COVERAGE =
  "node --test --experimental-test-coverage --test-coverage-include=src/*.js --test-coverage-lines=95 --test-coverage-functions=95";

/** Its test command demands a coverage of 95 %. */
export const covered: Project = {
  ...common,
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: COVERAGE } }),
    ".signalbox/config.yaml": config({ test: "npm test" }),
  },
};

/** A warning is an error under its settings of pytest. */
export const warned: Project = {
  ...pytest,
  exam: ["python3", "-m", "pytest", "-q", "-rA"],
  passed: /^PASSED (.+)$/gm,
  files: {
    ...pytest.files,
    "pytest.ini": "[pytest]\naddopts = -q\nfilterwarnings =\n    error\n",
  },
};

const ZONED = "TZ=America/New_York node --test";
const DAY_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { day } from "../src/day.js";

test("a day is counted in universal time", () => {
  assert.equal(day(Date.UTC(2024, 0, 1, 2)), "2024-01-01");
});
`;

/** Its tests run in a time zone that shows local time where universal time is meant. */
export const zoned: Project = {
  ...common,
  exam: ["sh", "-c", `${ZONED} --test-reporter=tap`],
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: ZONED } }),
    "src/day.js": "export const day = (time) => new Date(time).toISOString().slice(0, 10);\n",
    "tests/day.test.js": DAY_TEST,
    ".signalbox/config.yaml": config({ test: "npm test" }),
  },
};

const SEEDED_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { discount } from "../src/price.js";
import { SEED } from "./support/seed.js";

let state = SEED;
const next = () => (state = (state * 1103515245 + 12345) % 2147483648);

test("a discount never takes more than its share", () => {
  for (let round = 0; round < 20; round += 1) {
    const cents = next() % 10000;
    assert.ok(cents - discount(cents, 10) <= cents / 10, String(cents));
  }
});
`;

/** Its tests try prices that come from a seed. */
export const seeded: Project = {
  ...common,
  files: {
    ...FILES,
    "tests/support/seed.js": "export const SEED = 42;\n",
    "tests/share.test.js": SEEDED_TEST,
  },
};

const LIMITED_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/price.js";

test("a large basket is added within half a second", { timeout: 500 }, async () => {
  const items = Array.from({ length: 50_000 }, () => ({ cents: 1 }));
  await new Promise((resolve) => setImmediate(resolve));
  const begin = performance.now();
  assert.equal(total(items), 50_000);
  assert.ok(performance.now() - begin < 500);
});
`;

/** One test limits the time that the product may take. */
export const limited: Project = {
  ...common,
  files: { ...FILES, "tests/speed.test.js": LIMITED_TEST },
};

const SNAPSHOT_TEST = `import { test } from "node:test";
import { receipt } from "../src/receipt.js";
import { BASKET } from "./support/basket.js";

test("a receipt looks as it always did", (t) => {
  t.assert.snapshot(receipt(BASKET));
});
`;

/** Snapshots in the form of Node's own test program. */
export const snapped: Project = {
  ...common,
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: "node --test", update: "node --test --test-update-snapshots" } }),
    "tests/receipt.test.js": SNAPSHOT_TEST,
    "tests/receipt.test.js.snapshot": `exports[\`a receipt looks as it always did 1\`] = \`
"2 x tea  4.50 EUR\\\\n1 x cup  2.50 EUR\\\\ntotal  11.50 EUR\\\\n"
\`;
`,
    ".signalbox/config.yaml": config({ build: BUILD, test: "npm test" }),
  },
};

/** The script of the tests calls another script, which names the files. */
export const nested: Project = {
  ...common,
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: "npm run unit", unit: "node --test tests/*.test.js" } }),
    ".signalbox/config.yaml": config({ test: "npm test" }),
  },
};

const TAX_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { tax } from "../src/tax.js";

test("tax is rounded to the nearest cent", () => {
  assert.equal(tax(999, 19), 190);
});
`;

/** A test was written before the module that it imports. */
export const unborn: Project = { ...common, files: { ...FILES, "tests/tax.test.js": TAX_TEST } };

/** It has one test, and that one is red. */
export const barren: Project = {
  ...common,
  files: {
    "package.json": manifest({ scripts: { test: "node --test" } }),
    "README.md": "# till\n\nTaxes.\n",
    "src/tax.js": "export const tax = (cents, percent) => Math.floor((cents * percent) / 100);\n",
    "tests/tax.test.js": TAX_TEST,
    ".signalbox/config.yaml": config({ test: "node --test" }),
  },
};

/** Its checks print nothing that names a test, and one of them is red. */
export const silent: Project = {
  ...common,
  exam: ["sh", "-c", 'for each in tests/*.mjs; do node $each && echo "ok 1 - $each"; done'],
  files: {
    "package.json": manifest({}),
    "README.md": "# till\n\nPrices.\n",
    "src/price.js": PRICE,
    "src/tax.js": "export const tax = (cents, percent) => Math.floor((cents * percent) / 100);\n",
    "tests/price.mjs":
      'import { discount } from "../src/price.js";\n\nif (discount(999, 10) !== 900) process.exit(1);\n',
    "tests/tax.mjs": 'import { tax } from "../src/tax.js";\n\nif (tax(999, 19) !== 190) process.exit(1);\n',
    ".signalbox/config.yaml": config({ price: "node tests/price.mjs", tax: "node tests/tax.mjs" }),
  },
};
