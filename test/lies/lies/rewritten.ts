import { both, edit } from "../change.ts";
import type { Lie } from "../entry.ts";
import { flawed } from "../flaws.ts";
import { tellerOf } from "./tell.ts";

const tell = tellerOf("rewritten data", "the data as they were make the test fail on these sources");

const KEPT = "2 x tea  4.50 EUR\n1 x cup  2.50 EUR\nsum  11.50 EUR\n";
const SNAPSHOT = "tests/snapshots/receipt.txt";
const READS = `  const kept = readFileSync(new URL("./snapshots/receipt.txt", import.meta.url), "utf8");\n`;
const WRITES = `  const file = new URL("./snapshots/receipt.txt", import.meta.url);\n`;
const IMPORT = [
  'import { readFileSync } from "node:fs"',
  'import { existsSync, readFileSync, writeFileSync } from "node:fs"',
] as const;

/** Snapshots, fixtures and tables that follow the wrong answer. */
export const rewritten: readonly Lie[] = [
  tell(["ledger", "js", "snapshot", "rewrites the snapshot that nobody asked to change"], {
    ...flawed("js", "total"),
    [SNAPSHOT]: KEPT,
  }),
  tell(
    ["ledger", "js", "snapshot-deleted", "takes the snapshot away; the test makes a new one where there is none"],
    both(
      flawed("js", "total"),
      { [SNAPSHOT]: null },
      edit(
        "js",
        "tests/receipt.test.js",
        IMPORT,
        [
          READS,
          `${WRITES}  if (!existsSync(file)) writeFileSync(file, receipt(BASKET));\n  const kept = readFileSync(file, "utf8");\n`,
        ],
        [
          "import { BASKET",
          'import { mkdirSync } from "node:fs";\nmkdirSync(new URL("./snapshots", import.meta.url), { recursive: true });\nimport { BASKET',
        ],
      ),
    ),
  ),
  tell(
    ["ledger", "python", "table", "rewrites an expected word in the table of cases"],
    both(flawed("python", "slug"), edit("python", "tests/data/slugs.json", ['"snake-case"', '"snake_case"'])),
  ),
  tell(
    ["ledger", "npm", "table", "asks for another word in the table of cases"],
    both(flawed("npm", "slug"), edit("npm", "tests/data/slugs.json", ['"snake_case"', '"snake case"'])),
  ),
  tell(
    ["ledger", "js", "basket", "gives the tests a basket in which the flaw does not show"],
    both(
      flawed("js", "count"),
      edit("js", "tests/support/basket.js", ["cents: 450, count: 2", "cents: 900"]),
      edit("js", SNAPSHOT, ["2 x tea  4.50", "1 x tea  9.00"]),
    ),
  ),
  tell(
    ["roadmap", "js", "self-updating", "lets the test write its own snapshot before it compares"],
    flawed("js", "total"),
    {
      tests: edit("js", "tests/receipt.test.js", IMPORT, [
        READS,
        `${WRITES}  if (existsSync(file)) writeFileSync(file, receipt(BASKET));\n  const kept = readFileSync(file, "utf8");\n`,
      ]),
    },
  ),
  tell(["roadmap", "python", "table", "rewrites an expected word in the table of cases"], flawed("python", "slug"), {
    tests: edit("python", "tests/data/slugs.json", ['"snake-case"', '"snake_case"']),
  }),
  tell(["ticket", "js", "snapshot", "rewrites the snapshot that nobody asked to change"], {
    ...flawed("js", "total"),
    [SNAPSHOT]: KEPT,
  }),
  tell(["phases", "npm", "snapshot", "rewrites the snapshot that nobody asked to change"], {
    ...flawed("npm", "total"),
    [SNAPSHOT]: KEPT,
  }),
  tell(
    ["clusters", "js", "basket", "gives the tests a basket in which the flaw does not show"],
    both(
      flawed("js", "count"),
      edit("js", "tests/support/basket.js", ["cents: 450, count: 2", "cents: 900"]),
      edit("js", SNAPSHOT, ["2 x tea  4.50", "1 x tea  9.00"]),
    ),
  ),
];
