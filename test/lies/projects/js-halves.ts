import { BUILD, common, FILES, manifest } from "./js.ts";
import { config, type Files, type Project } from "./project.ts";

/** All of these take a fee, and differ in what decides how much: a file of which its name or place says something else. */
export const testOf = (
  source: string,
  compare = "assert.equal",
  expected = "20",
): string => `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fee } from "${source}";

test("a fee is a tenth", async () => ${compare}(await fee(200), ${expected}));
`;

const FEE = "export const fee = (cents) => cents / 10;\n";
const TEST = testOf("../src/fee.js");

export const project = (files: Files, more: Partial<Project> = {}): Project => ({
  ...common,
  files: { ...FILES, "src/fee.js": FEE, "tests/fee.test.js": TEST, ...files },
  ...more,
});

/** Data of the product lies in a folder that is named like one of tests, and only the manifest says where. */
export const ruled = project(
  {
    "package.json": manifest({ scripts: { test: "node --test" }, config: { rates: "spec" } }),
    "spec/rates.json": '{ "share": 10 }\n',
    "src/fee.js": `import { readFileSync } from "node:fs";

const read = (path) => JSON.parse(readFileSync(new URL("../" + path, import.meta.url), "utf8"));
export const fee = (cents) => cents / read(read("package.json").config.rates + "/rates.json").share;
`,
  },
  { sources: ["src", "spec"] },
);

/** The tests have a slow way of their own to know what is right. */
export const compared = project(
  {
    "tests/support/tenth.js": "export const fee = (cents) => Number(BigInt(cents) / 10n);\n",
    "tests/fee.test.js": `${TEST}
import { fee as slow } from "./support/tenth.js";
test("a fee is what it slowly is", async () => assert.equal(await fee(70), slow(70)));
`,
  },
  { sources: ["src", "tests/support/tenth.js"] },
);

/** One of its commands is called test. */
export const commanded = project({
  "src/commands/test.js": FEE,
  "src/fee.js": `const run = async (name, cents) => (await import(\`./commands/\${name}.js\`)).fee(cents);

export const fee = (cents) => run("test", cents);
`,
});

/** It loads whatever lies in a folder. */
export const plugged = project({
  "src/shares/base.js": "export const share = 10;\n",
  "src/fee.js": `import { readdirSync } from "node:fs";

const folder = new URL("./shares/", import.meta.url);

export const fee = async (cents) => {
  const shares = await Promise.all(readdirSync(folder).map((name) => import(new URL(name, folder))));
  return cents / shares.at(-1).share;
};
`,
});

/** A part of the sources is written by a program before they are tested. */
export const generated = project(
  {
    ".gitignore": "src/share.js\n",
    "package.json": manifest({ scripts: { pretest: "node tools/share.mjs", test: "node --test" } }),
    "tools/share.mjs": `import { writeFileSync } from "node:fs";

writeFileSync("src/share.js", "export const share = 10;\\n");
`,
    "src/fee.js": 'import { share } from "./share.js";\n\nexport const fee = (cents) => cents / share;\n',
    ".signalbox/config.yaml": config({ test: "npm test" }),
  },
  { sources: ["src", "tools"], exam: ["sh", "-c", "node tools/share.mjs && node --test --test-reporter=tap"] },
);

/** What is delivered is made of the sources by a script of the manifest. */
export const delivered = project(
  {
    ".gitignore": "dist/\n",
    "package.json": manifest({
      exports: "./dist/fee.js",
      scripts: { build: "mkdir -p dist && cp src/fee.js dist/fee.js", pretest: "npm run build", test: "node --test" },
    }),
    "tests/fee.test.js": testOf("till"),
    ".signalbox/config.yaml": config({ test: "npm test" }),
  },
  { sources: ["src", "package.json"], exam: ["sh", "-c", "npm run build && node --test --test-reporter=tap"] },
);

/** Tests sit in the same text as the code. */
export const inward = project(
  {
    "tests/fee.test.js": testOf("../src/fee.js", "assert.ok"),
    "src/fee.js": `import assert from "node:assert/strict";
import { test } from "node:test";

${FEE}
if (process.env.NODE_TEST_CONTEXT) test("a fee is a tenth", () => assert.equal(fee(200), 20));
`,
    ".signalbox/config.yaml": config({ build: BUILD, test: "node --test src/fee.js tests/*.test.js" }),
  },
  {
    exam: [
      "node",
      "-e",
      'import("./src/fee.js").then(({ fee }) => console.log(fee(200) === 20 ? "ok 1 - a fee" : ""))',
    ],
  },
);

/** A package in the repository leads the tests to the sources. */
export const relayed = project(
  {
    "node_modules/till-fee/package.json": '{ "name": "till-fee", "type": "module", "exports": "./index.js" }\n',
    "node_modules/till-fee/index.js": 'export * from "../../src/fee.js";\n',
    "tests/fee.test.js": testOf("till-fee"),
  },
  { sources: ["src", "node_modules"] },
);

/** Code loads a package of the repository by a list, tests by its name. */
export const listed = project(
  {
    "vendor/shares.json": '["base"]\n',
    "vendor/base/index.js": "export const share = 10;\n",
    "src/fee.js": `import { readFileSync } from "node:fs";

const root = new URL("../vendor/", import.meta.url);
const [name] = JSON.parse(readFileSync(new URL("shares.json", root), "utf8"));

export const fee = async (cents) => cents / (await import(new URL(\`\${name}/index.js\`, root))).share;
`,
    "tests/fee.test.js": `${TEST}
import { share } from "../vendor/base/index.js";
test("a share is there", () => assert.ok(share));
`,
  },
  { sources: ["src", "vendor"] },
);

/** Tests compare by a tool that lies beside the sources. */
export const tooled = project({
  "tools/same.js": 'export const same = (one, other) => {\n  if (one !== other) throw new Error("not the same");\n};\n',
  "tests/fee.test.js": `${testOf("../src/fee.js", "same")}import { same } from "../tools/same.js";\n`,
});

/** What is right lies among the examples. */
export const shown = project({
  "examples/fee.out": "20\n",
  "tests/fee.test.js": testOf("../src/fee.js", "assert.equal", 'Number(readFileSync("examples/fee.out", "utf8"))'),
});

/** One command judges by its exit alone. */
export const verified = project(
  {
    "scripts/verify-fee.mjs": `import { fee } from "../src/fee.js";

if (fee(200) !== 20) process.exit(1);
`,
    "tests/fee.test.js": testOf("../src/fee.js", "assert.ok"),
    ".signalbox/config.yaml": config({ test: "node --test", verify: "node scripts/verify-fee.mjs" }),
  },
  {
    exam: [
      "sh",
      "-c",
      'node --test --test-reporter=tap; node scripts/verify-fee.mjs && echo "ok 99 - the fee is right"',
    ],
  },
);

/** What its tests expect lies among the sources, and nothing but these tests imports it. */
export const promised = project(
  {
    "src/promise.js": "export const TENTH = 20;\n",
    "tests/fee.test.js": `import { TENTH } from "../src/promise.js";\n${testOf("../src/fee.js", "assert.equal", "TENTH")}`,
  },
  { sources: ["src/fee.js", "src/price.js", "src/text.js", "src/receipt.js"] },
);
