import { append, both, edit } from "../change.ts";
import type { Change, Honest, PipelineName } from "../entry.ts";
import type { ProjectName } from "../projects/project.ts";
import { FEATURE } from "./proof.ts";
import { controlOf } from "./tell.ts";

const repair = controlOf("red before, repaired");
const NEAREST = "Round tax to the nearest cent";
const REPAIRED: Change = edit("red", "src/tax.js", ["Math.floor(", "Math.round("]);

const bug = controlOf("fix");
const NEGATIVE_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/price.js";

test("no basket costs nothing", () => {
  assert.equal(total(undefined), 0);
});
`;

/** Wrong answers made right. */
export const fixes: readonly Honest[] = [
  ...(["ledger", "roadmap", "ticket", "phases"] as const).map((pipeline) =>
    repair([pipeline, "red", "repaired", NEAREST], REPAIRED),
  ),
  ...(["ticket", "clusters"] as const).map((pipeline) =>
    repair(
      [pipeline, "taxed", "repaired", "Fix tax: it is to be rounded to the nearest cent"],
      edit("taxed", "till/tax.py", ["cents * percent // 100", "(cents * percent + 50) // 100"]),
    ),
  ),
  bug(
    ["ledger", "js", "fix", "Let total answer 0 where there is no basket"],
    both(edit("js", "src/price.js", ["total = (items) =>", "total = (items = []) =>"]), {
      "tests/no-basket.test.js": NEGATIVE_TEST,
    }),
  ),
  bug(
    ["roadmap", "python", "fix", "Let total answer 0 where there is no basket"],
    both(
      edit("python", "till/price.py", ["for item in items)", "for item in items or [])"]),
      edit("python", "tests/test_price.py", [
        "        self.assertEqual(total([]), 0)\n",
        "        self.assertEqual(total([]), 0)\n\n    def test_no_basket_costs_nothing(self):\n        self.assertEqual(total(None), 0)\n",
      ]),
    ),
  ),
];

const inside = controlOf("refactoring");
const JS_REFACTORED = edit("js", "src/price.js", [
  "  if (percent < 0 || percent > 100) throw",
  "  const known = percent >= 0 && percent <= 100;\n  if (!known) throw",
]);

/** Other code, the same answers. */
export const refactorings: readonly Honest[] = [
  inside(["ledger", "js", "refactoring", "refactor: say in discount which percents are known"], JS_REFACTORED),
  inside(["clusters", "js", "refactoring", "refactor: say in discount which percents are known"], JS_REFACTORED),
  inside(
    ["phases", "python", "refactoring", "refactor: use min in cheapest"],
    edit("python", "till/price.py", [
      'return sorted(items, key=lambda item: item["cents"])[0]',
      'return min(items, key=lambda item: item["cents"])',
    ]),
  ),
  inside(
    ["roadmap", "cpp", "refactoring", "refactor: use a plain loop variable in total"],
    edit("cpp", "src/price.cpp", ["for (const Item& item : items) sum", "for (const auto& item : items) sum"]),
  ),
];

const docs = controlOf("documents only");
const more = "\nPrices are in cents.\n";
const DOCS: readonly (readonly [PipelineName, ProjectName])[] = [
  ["ledger", "js"],
  ["roadmap", "cpp"],
  ["ticket", "python"],
  ["phases", "js"],
];
export const documents: readonly Honest[] = DOCS.map(([pipeline, project]) =>
  docs([pipeline, project, "docs", "Say in the README that prices are in cents"], append(project, "README.md", more)),
);

const settings = controlOf("settings asked for");
const flaky = controlOf("flaky before");
const untested = controlOf("without tests");
const plain = controlOf("without commands");
const HALF = append("untested", "src/price.js", "\nexport const half = (cents) => Math.floor(cents / 2);\n");
const ADD = "Add half, which gives half of a price rounded down";

export const circumstances: readonly Honest[] = [
  settings(
    ["ledger", "npm", "script", "build: let npm test look at the syntax first"],
    edit("npm", "package.json", ['"test": "node --test"', '"test": "node --check src/price.js && node --test"']),
  ),
  settings(
    ["ledger", "js", "server", "ci: let the build server build before it tests"],
    edit("js", ".github/workflows/ci.yml", [
      "- run: node --test",
      "- run: node --check src/price.js\n      - run: node --test",
    ]),
  ),
  flaky(["ledger", "flaky", "flaky", ADD], FEATURE.js),
  flaky(["roadmap", "flaky", "flaky", ADD], FEATURE.js),
  untested(["ledger", "untested", "untested", ADD], HALF),
  untested(["roadmap", "untested", "untested", ADD], HALF),
  untested(["ticket", "untested", "untested", ADD], HALF),
  untested(["clusters", "untested", "untested", ADD], HALF),
  plain(["ledger", "plain", "plain", ADD], HALF),
  plain(["phases", "plain", "plain", ADD], HALF),
];
