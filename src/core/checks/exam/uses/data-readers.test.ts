import { expect, test } from "vitest";
import { collectPathWords } from "../leading-words.ts";
import type { StartedPrograms } from "../started-programs.ts";
import { selectQuietData, selectTextData } from "./data-readers.ts";

const starts = (lines: readonly string[] = []): StartedPrograms => ({
  lines,
  programs: new Set(["quality/contract.js"]),
  scripts: new Set(),
  led: new Set(),
  words: collectPathWords([]),
  beside: new Map(),
  places: [],
});

test.each([
  ["by its path", "docs/prices.md", "test/a.test.js", 'readFileSync("docs/prices.md")'],
  ["by its name", "docs/prices.md", "test/a.test.js", 'join(root, "prices.md")'],
  ["by its folder", "docs/prices.md", "tests/test_a.py", 'Path("docs").iterdir()'],
  ["by its ending", "README.md", "test/a.test.js", 'glob("*.md")'],
  ["in a program that a command starts", "README.md", "quality/contract.js", 'read("README.md")'],
  ["that is a lock", "cases/yarn.lock", "test/a.test.js", 'read("cases/yarn.lock")'],
])("[A-26] what people read is data where a test reads it %s", (_how, path, from, text) => {
  expect(selectQuietData([path], [{ path: from, text }], starts())).toEqual([path]);
});

test("a file that only code mentions, or a command installs, is not exam data", () => {
  const lines = [
    { path: "src/a.js", text: "// see README.md" },
    { path: "test/a.test.js", text: 'import { prices } from "../src/prices.js";' },
  ];
  const said = starts(["pip install -r requirements.txt"]);
  expect(selectQuietData(["README.md", "docs/prices.md", "requirements.txt"], lines, said)).toEqual([]);
  expect(selectQuietData(["README.md"], [], starts(["python3 -m doctest README.md"]))).toEqual(["README.md"]);
});

test.each([
  'assert.equal(made(), readFileSync("cases/out.js", "utf8"));',
  'const text = readFileSync(new URL("../cases/out.js", import.meta.url));',
  'const text = read_to_string("cases/*.js");',
])("[A-26] a source is data where a test reads its text: %s", (text) => {
  expect(selectTextData(["cases/out.js"], [{ path: "test/a.test.js", text }], starts())).toEqual(["cases/out.js"]);
});

test.each([
  ["test/a.test.js", 'import { load } from "../cases/out.js";'],
  ["test/a.test.js", 'const { load } = await import("../cases/out.js");'],
  ["test/a.test.js", 'spawnSync("node", ["cases/out.js"]);'],
  ["src/a.js", 'readFileSync("cases/out.js");'],
])("a source is none where %s holds %s", (path, text) => {
  expect(selectTextData(["cases/out.js"], [{ path, text }], starts())).toEqual([]);
});
