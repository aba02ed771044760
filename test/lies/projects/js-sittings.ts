import { project, testOf } from "./js-halves.ts";
import { config } from "./project.ts";

/** A command beside the tests judges by what lies where their specifications do. */
export const contracted = project(
  {
    "spec/contract.json": "[[200, 20]]\n",
    "tools/contract.mjs": `import { readFileSync } from "node:fs";
import { fee } from "../src/fee.js";

for (const [cents, due] of JSON.parse(readFileSync("spec/contract.json", "utf8"))) if (fee(cents) !== due) process.exit(1);
`,
    "tests/fee.test.js": testOf("../src/fee.js", "assert.ok"),
    ".signalbox/config.yaml": config({ test: "node --test", contract: "node tools/contract.mjs" }),
  },
  {
    exam: ["sh", "-c", 'node --test --test-reporter=tap; node tools/contract.mjs && echo "ok 99 - the fee is right"'],
  },
);

/** The product has a table, and the tests have another one. */
export const paired = project({
  "src/rates.json": '{ "share": 10 }\n',
  "src/fee.js": `import { readFileSync } from "node:fs";

const { share } = JSON.parse(readFileSync(new URL("rates.json", import.meta.url), "utf8"));

export const fee = (cents) => cents / share;
`,
  "cases/fees.json": "[20]\n",
  "tests/fee.test.js": testOf(
    "../src/fee.js",
    "assert.equal",
    'JSON.parse(readFileSync("cases/fees.json", "utf8"))[0]',
  ),
});

/** One of the settings of the product is named like those of a test program. */
export const tuned = project({
  "src/tap.config.js": "export const share = 10;\n",
  "src/fee.js": `import { readdirSync } from "node:fs";

const folder = new URL("./", import.meta.url);

export const fee = async (cents) => {
  const names = readdirSync(folder).filter((name) => name.includes(".config."));
  const settings = await Promise.all(names.map((name) => import(new URL(name, folder))));
  return cents / settings[0].share;
};
`,
});

/** One command builds what the next one tests. */
export const staged = project(
  {
    ".gitignore": "dist/\n",
    "build.mjs": 'import { cpSync } from "node:fs";\n\ncpSync("src", "dist", { recursive: true });\n',
    "tests/fee.test.js": testOf("../dist/fee.js"),
    ".signalbox/config.yaml": config({ build: "node build.mjs", test: "node --test" }),
  },
  { exam: ["sh", "-c", "node build.mjs && node --test --test-reporter=tap"] },
);
