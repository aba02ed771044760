import { BUILD, common, FILES, manifest, npm } from "./js.ts";
import { config, type Project } from "./project.ts";

/** Two commands test, and only one of them is a program that can be asked for a report. */
export const mixed: Project = {
  ...common,
  exam: ["sh", "-c", "node --test --test-reporter=tap; node tests/shop.js"],
  files: {
    ...FILES,
    "src/shop.js": "export const open = (hour) => hour >= 9 && hour < 18;\n",
    "tests/shop.js": `import { open } from "../src/shop.js";

if (open(8)) throw new Error("it opens at nine");
if (!open(17)) throw new Error("it closes at six");
console.log("ok 99 - the shop has its hours");
`,
    ".signalbox/config.yaml": config({ build: BUILD, test: "node --test", e2e: "node tests/shop.js" }),
  },
};

/** Tests are started by a script whose name does not say so. */
export const named: Project = {
  ...common,
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { check: "node --test" } }),
    ".signalbox/config.yaml": config({ check: "npm run check" }),
  },
};

/** A script prepares the checkout before its commands. */
export const prepared: Project = {
  ...common,
  files: {
    ...FILES,
    "prepare.sh": "mkdir -p out\n",
    ".signalbox/config.yaml": config({ setup: "sh prepare.sh", build: BUILD, test: "node --test" }),
  },
};

/** The script of that name calls another one, in a way that npm has too. */
export const called: Project = {
  ...common,
  files: {
    ...npm.files,
    "package.json": manifest({ scripts: { test: "npm run-script unit", unit: "node --test" } }),
  },
};

/** The script starts a program of the repository that runs the tests. */
export const runner: Project = {
  ...common,
  files: {
    ...npm.files,
    "package.json": manifest({ scripts: { test: "node all.js" } }),
    "all.js": `import { spawnSync } from "node:child_process";

process.exitCode = spawnSync(process.execPath, ["--test"], { stdio: "inherit" }).status ?? 1;
`,
  },
};

/** Built by a script of its manifest. */
export const built: Project = {
  ...common,
  files: {
    ...FILES,
    "package.json": manifest({ scripts: { test: "node --test", build: "node --check src/price.js" } }),
    ".signalbox/config.yaml": config({ build: "npm run build", test: "node --test" }),
  },
};

/** The program that runs the tests imports how, and reads which. */
export const guided: Project = {
  ...common,
  files: {
    ...npm.files,
    "package.json": manifest({ scripts: { test: "node all.js" } }),
    "all.js": `import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { OPTIONS } from "./options.js";

const suites = JSON.parse(readFileSync(new URL("suites.json", import.meta.url), "utf8"));
process.exitCode = spawnSync(process.execPath, ["--test", ...suites], OPTIONS).status ?? 1;
`,
    "options.js": 'export const OPTIONS = { stdio: "inherit" };\n',
    "suites.json": '["tests/*.test.js"]\n',
  },
};

/** Tests are known by where they lie, and only the line says where that is. */
export const placed: Project = {
  ...common,
  exam: ["sh", "-c", "node --test --test-reporter=tap unit/*.js"],
  files: {
    ...Object.fromEntries(
      Object.entries(FILES).map(([path, text]) => [path.replace(/^tests\/(?:(\w+)\.test)?/, "unit/$1"), text]),
    ),
    ".signalbox/config.yaml": config({ build: BUILD, test: "node --test 'unit/*.js'" }),
  },
};
