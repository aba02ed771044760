import { append, both, edit, move } from "../change.ts";
import type { Honest } from "../entry.ts";
import { flawed, REQUEST } from "../flaws.ts";
import { controlOf } from "./tell.ts";

const control = controlOf("files around the tests");

const ONE = '{ name: "cup", cents: 250 }];\n';
const HELPED_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { half } from "../src/price.js";
import { ODD } from "./support/basket.js";

test("half is rounded down", () => assert.equal(half(ODD), 499));
`;
const RATES = `import { existsSync, readFileSync } from "node:fs";

const FILE = new URL("../rates.json", import.meta.url);

export const rate = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")).rate : 1);
`;
const RATES_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { rate } from "../src/rates.js";

test("without a file nothing is added", () => assert.equal(rate(), 1));
`;
const FOOT = `import { readFileSync } from "node:fs";
import { total } from "./price.js";
import { money } from "./text.js";

const line = readFileSync(new URL("./parts/line.txt", import.meta.url), "utf8").trimEnd();
const filled = (values) => line.replaceAll(/%(\\w+)/g, (_, name) => values[name]);

export const receipt = (items) =>
  [...items.map(({ name, cents, count = 1 }) => filled({ count, name, cents: money(cents) })), "total  " + money(total(items))]
    .map((text) => text + "\\n")
    .join("");
`;

/** Work after which other files lie around the tests than before, and the old ones say what they always said. */
export const around: readonly Honest[] = [
  control(
    ["ledger", "js", "newer-helper", REQUEST],
    both(flawed("js"), edit("js", "tests/support/basket.js", [ONE, `${ONE}export const ODD = 999;\n`]), {
      "tests/half.test.js": HELPED_TEST,
    }),
  ),
  control(
    ["ticket", "pytest", "moved-beside", `${REQUEST}, and put the tests of texts into a folder`],
    both(flawed("pytest"), move("pytest", "tests/test_text.py", "tests/unit/test_text.py"), {
      "tests/unit/data/slugs.json": '[{ "text": "Green Tea", "expected": "green-tea" }]\n',
    }),
  ),
  control(["roadmap", "js", "looks-for-settings", "Read a rate from rates.json where there is one, and describe it"], {
    "src/rates.js": RATES,
    "tests/rates.test.js": RATES_TEST,
    "docs/rates.md": "# Rates\n\nA `rates.json` at the top holds `rate`.\n",
  }),
  control(["ledger", "js", "template", "refactor: let the lines of a receipt come from a text beside the sources"], {
    "src/receipt.js": FOOT,
    "src/parts/line.txt": "%count x %name  %cents\n",
  }),
  control(
    ["ledger", "promised", "more-promises", "Add least, which gives the least fee"],
    both(
      append("promised", "src/fee.js", "export const least = () => 3;\n"),
      append("promised", "src/promise.js", "export const LEAST = 3;\n"),
      edit(
        "promised",
        "tests/fee.test.js",
        ["{ TENTH }", "{ LEAST, TENTH }"],
        ["{ fee }", "{ fee, least }"],
        ["test(", 'test("the least fee is known", () => assert.equal(least(), LEAST));\ntest('],
      ),
    ),
  ),
];
