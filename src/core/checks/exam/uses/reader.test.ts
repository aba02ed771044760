import { expect, test } from "vitest";
import { type ExamFile, listSearchWords, mayReadFile } from "./reader.ts";

const wanted = (path: string, more: Partial<ExamFile> = {}): ExamFile => ({
  path,
  collected: false,
  sharesName: false,
  sharesStem: false,
  ...more,
});

type Case = readonly [from: string, text: string, path: string];

const READ: readonly Case[] = [
  ["src/math.js", 'export { add } from "../test/helpers/oracle.js";', "test/helpers/oracle.js"],
  ["src/math.js", 'const { add } = require(join(root, "test", "helpers", "oracle"));', "test/helpers/oracle.js"],
  ["calc/core.py", 'oracle = importlib.import_module("tests.oracle")', "tests/oracle.py"],
  ["src/valid.js", 'read(folder + "/schema.json")', "spec/schema.json"],
  ["src/valid.js", "read(`spec/$" + "{name}.json`)", "spec/schema.json"],
  ["src/valid.js", 'for (const name of readdirSync("../spec")) load(name);', "spec/parts/schema.json"],
  ["src/valid.js", 'const folder = join(root, "spec");', "spec/schema.json"],
  ["calc/rate.py", 'parser.read(ROOT / "tox.ini")', "tox.ini"],
  ["rates.go", "//go:embed testdata/rates.txt", "testdata/rates.txt"],
  ["rates.go", "//go:embed testdata/*", "testdata/rates.txt"],
  ["rates.go", "//go:embed plans", "plans/gold.feature"],
  ["rates.go", "//go:embed other all:plans", "plans/deep/gold.feature"],
  ["docs/way.js", 'export * from "../test/helpers/oracle.js";', "test/helpers/oracle.js"],
];

test.each(READ)("[A-26] in %s, %s reads %s", (from, text, path) => {
  expect(mayReadFile({ path: from, text }, wanted(path))).toBe(true);
  expect(listSearchWords(wanted(path)).some((word) => text.includes(word))).toBe(true);
});

const UNREAD: readonly Case[] = [
  ["src/app.js", 'if (process.env.NODE_ENV === "test") return;', "test/helpers/oracle.js"],
  ["eslint.config.js", 'export default [{ files: ["test/**"] }];', "test/helpers/oracle.js"],
  ["tsconfig.json", '"exclude": ["test"]', "test/helpers/oracle.js"],
  ["package.json", '"test": "node test/helpers/oracle.js"', "test/helpers/oracle.json"],
  ["src/app.js", 'import { add } from "./oracles.js";', "test/helpers/oracle.js"],
  ["docs/plan.md", "see `test/helpers/oracle.js`", "test/helpers/oracle.js"],
];

test.each(UNREAD)("in %s, %s does not read %s", (from, text, path) => {
  expect(mayReadFile({ path: from, text }, wanted(path))).toBe(false);
});

test("a name that a file of the code bears too means that one", () => {
  const line = { path: "src/app.js", text: 'read("package.json")' };
  expect(mayReadFile(line, wanted("test/demo/package.json"))).toBe(true);
  expect(mayReadFile(line, wanted("test/demo/package.json", { sharesName: true, sharesStem: true }))).toBe(false);
});

test("[A-26] a test is used by its importers, not by files that mention it", () => {
  const asked = wanted("test/a.test.js", { collected: true });
  expect(mayReadFile({ path: "src/a.js", text: 'export * from "../test/a.test.js";' }, asked)).toBe(true);
  expect(mayReadFile({ path: "src/a.js", text: '  "../test/a.test.js",' }, asked)).toBe(true);
  expect(mayReadFile({ path: "src/a.js", text: "// Held by `test/a.test.js`." }, asked)).toBe(false);
});
