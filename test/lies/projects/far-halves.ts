import { project } from "./js-halves.ts";
import { pytest } from "./python.ts";
import { on } from "./python-halves.ts";

/** Also these take a fee; what decides how much is read in a way that no single line says. */
const LINKS = Array.from({ length: 8 }, (_, at) => [
  `features/f${at}.js`,
  at === 7 ? "export const share = 10;\n" : `export { share } from "./f${at + 1}.js";\n`,
]);

/** From the product to what decides it is a long way, through a folder that is named like one of tests. */
export const chained = project(
  {
    ...Object.fromEntries(LINKS),
    "src/fee.js": 'import { share } from "../features/f0.js";\n\nexport const fee = (cents) => cents / share;\n',
  },
  { sources: ["src", "features"] },
);

/** Data of the product has the ending of a test program's, and is read because it is there. */
export const planned = project({
  "src/plans/gold.feature": "10\n",
  "src/plans/index.js": `import { readdirSync, readFileSync } from "node:fs";

const here = import.meta.dirname;
const names = readdirSync(here).filter((name) => name.endsWith(".feature"));
export const shares = names.map((name) => Number(readFileSync(here + "/" + name, "utf8")));
`,
  "src/fee.js": 'import { shares } from "./plans/index.js";\n\nexport const fee = (cents) => cents / shares[0];\n',
});

/** A module of the product lies in a folder that is named like one of tests, and is imported over several lines. */
export const folded = on(
  pytest,
  {
    "spec/__init__.py": "",
    "spec/rates.py": "SHARE = 10\n",
    "till/fee.py": "from spec import (\n    rates,\n)\n\n\ndef fee(cents):\n    return cents // rates.SHARE\n",
  },
  { sources: [...pytest.sources, "spec"] },
);
