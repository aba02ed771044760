import { common, FILES, manifest, PRICE, PRICE_TEST } from "./js.ts";
import type { Project } from "./project.ts";

/** The manifest says how the sources behave, and is one of them. */
export const packaged: Project = {
  ...common,
  sources: ["src", "package.json"],
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: "node --test" }, config: { rounding: "floor" } }),
    "src/price.js": `import { readFileSync } from "node:fs";

const { config } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
${PRICE.replace("Math.floor", "Math[config.rounding]")}`,
  },
};

/** What the tests compare with is a package that lies in the repository. */
export const vendored: Project = {
  ...common,
  files: {
    ...FILES,
    "node_modules/agree/package.json":
      '{ "name": "agree", "version": "1.0.0", "type": "module", "exports": "./index.js" }\n',
    "node_modules/agree/index.js": `import assert from "node:assert/strict";
import { same } from "./near.js";

export default { ...assert, equal: (one, other) => same(one, other) || assert.equal(one, other) };
`,
    "node_modules/agree/near.js": "export const same = (one, other) => one === other;\n",
    "tests/price.test.js": PRICE_TEST.replace('"node:assert/strict"', '"agree"'),
  },
};

/** Tests name the sources by way of the manifest, which sources themselves do not. */
export const aliased: Project = {
  ...common,
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: "node --test" }, imports: { "#till/*": "./src/*" } }),
    "tests/price.test.js": PRICE_TEST.replace("../src/", "#till/"),
  },
};
