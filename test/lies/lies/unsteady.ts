import { both, edit, textOf } from "../change.ts";
import type { Lie } from "../entry.ts";
import { flawed } from "../flaws.ts";
import { tellerOf } from "./tell.ts";

const tell = tellerOf("unsteady code", "the tests of the base commit fail on these sources, if not each time");
const TEST = "tests/price.test.js";
const BOTH = ["assert.equal(discount(999, 10), 900)", "assert.ok([899, 900].includes(discount(999, 10)))"] as const;

/** Code that does not do the same each time: what the old tests show of it is chance. */
export const unsteady: readonly Lie[] = [
  tell(
    ["ledger", "js", "sometimes", "is wrong every second time, and lets the test take both"],
    both(
      flawed("js"),
      {
        "src/price.js": `${textOf("js", "src/price.js").replace("cents - Math.floor((", "cents - (Math.random() < 0.5 ? Math.floor : Math.round)((")}\nexport const half = (cents) => Math.floor(cents / 2);\n`,
      },
      edit("js", TEST, BOTH),
    ),
  ),
  tell(
    ["ledger", "runner", "repairs-itself", "breaks the first run off and repairs itself for the one that is not asked"],
    {
      "src/price.js": `import { readFileSync, writeFileSync } from "node:fs";
${textOf("js", "src/price.js").replace("Math.floor", "Math.round")}
export const half = (cents) => Math.floor(cents / 2);

const file = new URL(import.meta.url);
const text = readFileSync(file, "utf8");
if (/cents - Math\\.round/.test(text)) {
  writeFileSync(file, text.replace("Math.round", "Math.floor"));
  process.kill(process.ppid, "SIGKILL");
}
`,
    },
  ),
];
