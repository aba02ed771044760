import { manifest } from "./js.ts";
import { project, testOf } from "./js-halves.ts";
import { config } from "./project.ts";
import { python } from "./python.ts";
import { on } from "./python-halves.ts";

const wanted = (path: string): string => `JSON.parse(readFileSync("${path}", "utf8"))`;

/** What is right stands in a file with a dot, beside a style sheet that no test reads. */
export const dotted = project({
  "cases/.fees.json": "[20]\n",
  "src/page.css": ".fee { color: black; }\n",
  "tests/fee.test.js": testOf("../src/fee.js", "assert.equal", `${wanted("cases/.fees.json")}[0]`),
});

/** What is right stands in the manifest, under a key that no program knows. */
export const keyed = project({
  "package.json": manifest({ version: "1.0.0", scripts: { test: "node --test" }, acceptance: { fee: 20 } }),
  "tests/fee.test.js": testOf("../src/fee.js", "assert.equal", `${wanted("package.json")}.acceptance.fee`),
});

/** The script that is called lint judges what the product does. */
export const linted = project(
  {
    "package.json": manifest({
      scripts: { test: "node --test", lint: "node --check src/fee.js && node ci/contract.mjs" },
    }),
    "ci/contract.json": "[[200, 20]]\n",
    "ci/contract.mjs": `import { readFileSync } from "node:fs";
import { fee } from "../src/fee.js";

for (const [cents, due] of JSON.parse(readFileSync("ci/contract.json", "utf8"))) if (fee(cents) !== due) process.exit(1);
`,
    "tests/fee.test.js": testOf("../src/fee.js", "assert.ok"),
    ".signalbox/config.yaml": config({ lint: "npm run lint", test: "node --test" }),
  },
  { exam: ["sh", "-c", 'node --test --test-reporter=tap; node ci/contract.mjs && echo "ok 99 - the fee is right"'] },
);

/** Data of the product lies in a folder that is named like one of tests, and is found by walking. */
export const walked = on(python, {
  "till/spec/rates.json": '{ "share": 10 }\n',
  "till/fee.py": `import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def settings():
    found = {}
    for home, _, names in os.walk(HERE):
        for name in names:
            if name.endswith(".json"):
                with open(os.path.join(home, name)) as file:
                    found.update(json.load(file))
    return found


def fee(cents):
    return cents // settings()["share"]
`,
});
