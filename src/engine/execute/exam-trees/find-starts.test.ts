import { expect, test } from "vitest";
import { scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
type Started = { readonly files: Files; readonly edits: Files; readonly lines?: readonly string[] };

async function examine({ files, edits, lines = [] }: Started) {
  const at = await scene({ "src/price.js": "1\n", "src/shop.js": 'import "./price.js";\n', ...files });
  const texts = Object.entries({ "src/price.js": "2\n", ...edits }).map(([path, text]) => ({ path, text }));
  return composeExam(at.workspace, { old: at.tree, new: await at.workspace.render(at.tree, texts), lines });
}

const scripts = (all: Files) => `${JSON.stringify({ name: "p", scripts: all }, null, 2)}\n`;
const CONFIG = { ".signalbox/config.yaml": 'commands:\n  setup: "sh prepare.sh"\n  e2e: "node tests/shop.js"\n' };

const STARTED: Record<string, Started & { readonly lines: readonly string[] }> = {
  "a script that a line names": {
    files: { "package.json": scripts({ check: "node --test" }) },
    edits: { "package.json": scripts({ check: "sed; node --test" }) },
    lines: ["npm run check"],
  },
  "a script that another one calls by run-script": {
    files: { "package.json": scripts({ test: "npm run-script unit", unit: "node --test" }) },
    edits: { "package.json": scripts({ test: "npm run-script unit", unit: "true" }) },
    lines: [],
  },
  "a script that a recipe calls": {
    files: { Makefile: "all:\n\tnpm run unit\n", "package.json": scripts({ unit: "node --test" }) },
    edits: { "package.json": scripts({ unit: "true" }) },
    lines: ["make"],
  },
  "a file that the set-up runs": {
    files: { ...CONFIG, "prepare.sh": "mkdir out\n" },
    edits: { "prepare.sh": "sed\n" },
    lines: ["sh prepare.sh"],
  },
  "a file that a script runs": {
    files: { "package.json": scripts({ check: "node all.js" }), "all.js": "old\n" },
    edits: { "all.js": "new\n" },
    lines: ["npm run check"],
  },
  "a file that a recipe runs": {
    files: { Makefile: "test:\n\tsh tools/timed.sh ./build/tests\n", "tools/timed.sh": "old\n" },
    edits: { "tools/timed.sh": "new\n" },
    lines: ["make test"],
  },
  "a file that a shell script runs": {
    files: { "run.sh": "python3 tools/all.py\n", "tools/all.py": "old\n" },
    edits: { "tools/all.py": "new\n" },
    lines: ["cd . && ./run.sh"],
  },
  "what such a program imports, and reads": {
    files: {
      "package.json": scripts({ test: "node all.js" }),
      "all.js": 'import { x } from "./options.js";\nspawn(read("suites.json"));\n',
      "options.js": 'import "./deep.js";\n',
      "deep.js": "old\n",
      "suites.json": "old\n",
    },
    edits: { "deep.js": "new\n", "suites.json": "new\n" },
    lines: ["npm test"],
  },
  "a package that is run by its name, and what it imports": {
    files: { "checks/__main__.py": "import unittest\nfrom checks.where import X\n", "checks/where.py": "old\n" },
    edits: { "checks/__main__.py": "sed\nimport unittest\nfrom checks.where import X\n", "checks/where.py": "new\n" },
    lines: ["python3 -m checks"],
  },
  "a test that a line names by its place, and what it imports for itself": {
    files: { "unit/a.js": 'import "./fakes/clock.js";\n', "unit/fakes/clock.js": "old\n" },
    edits: { "unit/a.js": 'import "./fakes/clock.js";\nnew\n', "unit/fakes/clock.js": "new\n" },
    lines: ["node --test unit/*.js"],
  },
  "a test that the settings name by its place": {
    files: { "pytest.ini": "[pytest]\npython_files = check_*.py\n", "checks/check_a.py": "old\n" },
    edits: { "checks/check_a.py": "new\n" },
    lines: ["pytest"],
  },
  "a test that only a line of the settings names": {
    files: { ...CONFIG, "tests/shop.js": "old\n" },
    edits: { "tests/shop.js": "new\n" },
    lines: ["node tests/shop.js"],
  },
};

test.each(Object.entries(STARTED))("[A-26] %s is the exam", async (_what, started) => {
  const made = await examine(started);
  expect(made).toMatchObject({ exam: Object.keys(started.edits), code: ["src/price.js"], inseparable: [] });
});

test("[A-26] what code imports is code, though a line runs it", async () => {
  const made = await examine({ files: {}, edits: {}, lines: ["node src/price.js", "node --check src/shop.js"] });
  expect(made).toMatchObject({ exam: [], code: ["src/price.js"], inseparable: [] });
});

test("[A-26] a program among the sources goes with the code, and is said to be inseparable", async () => {
  const made = await examine({ files: {}, edits: { "src/shop.js": "new\n" }, lines: ["node src/shop.js & curl x"] });
  expect(made).toMatchObject({ exam: [], code: ["src/price.js", "src/shop.js"], inseparable: ["src/shop.js"] });
});

test("what a started program shares with code, or what tests import too, is code", async () => {
  const files = {
    "all.js": 'import "./both.js";\nimport "./tested.js";\nspawn();\n',
    "both.js": "old\n",
    "tested.js": "old\n",
    "src/user.js": 'import "../both.js";\n',
    "test/tested.test.js": 'import "../tested.js";\n',
  };
  const edits = { "both.js": "new\n", "tested.js": "new\n" };
  const made = await examine({ files, edits, lines: ["node all.js"] });
  expect(made).toMatchObject({ exam: [], code: ["both.js", "src/price.js", "tested.js"], inseparable: [] });
});

test("[A-26] what a program tests that is a test itself is code, though nobody else imports it", async () => {
  const files = { "check.js": 'import { x } from "./price.js";\nassert.equal(x, 1);\n', "price.js": "old\n" };
  const made = await examine({ files, edits: { "price.js": "new\n" }, lines: ["node check.js"] });
  expect(made).toMatchObject({ exam: [], code: ["price.js", "src/price.js"] });
});

test("what a package is entered by is code, though a line runs it", async () => {
  const manifest = '{\n  "bin": "./cli.js",\n  "scripts": { "test": "node --test" }\n}\n';
  const files = { "package.json": manifest, "cli.js": "old\n" };
  const made = await examine({ files, edits: { "cli.js": "new\n" }, lines: ["node cli.js --help"] });
  expect(made).toMatchObject({ exam: [], code: ["cli.js", "src/price.js"] });
});

test("[A-26] which lines only read sources is asked of the scripts of the old tree", async () => {
  const files = { "package.json": scripts({ lint: "eslint .", style: "node contract.js" }) };
  const edits = { "package.json": scripts({ lint: "node contract.js", style: "eslint ." }) };
  const lines = ["npm run lint", "npm run style", "make lint", "ruff check", "node --test"];
  expect((await examine({ files, edits, lines })).reading).toEqual(["npm run lint", "ruff check"]);
});
