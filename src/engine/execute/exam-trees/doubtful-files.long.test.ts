import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, type Scene, scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
/** The tree without files, which every repository has. */
const NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

type Asked = { readonly files: Files; readonly edits: Files; readonly collected?: readonly string[] };

async function examine({ files, edits, collected = ["test/a.test.js"] }: Asked) {
  const at = await scene({ "src/a.js": "1\n", "test/a.test.js": "old\n", ...files });
  const texts = Object.entries(edits).map(([path, text]) => ({ path, text }));
  const now = await at.workspace.compose(at.tree, { from: NOTHING, paths: Object.keys(edits), texts });
  return { at, ...(await composeExam(at.workspace, { old: at.tree, new: now, collected })) };
}

const shown = ({ repo }: Scene, tree: string | undefined, path: string): string =>
  run(repo, ["show", `${tree}:${path}`]);

const NEW_TEST = { "src/a.js": "2\n", "test/a.test.js": "new\n" };

test.each([
  ["is named like a test", { "calc/ab_test.py": "right\n" }, { "calc/ab_test.py": "wrong\n" }],
  ["builds the product before its tests", { "config.mk": "right\n" }, { "config.mk": "wrong\n" }],
  ["is new and named like a test", {}, { "src/plugins/sub.test.js": "wrong\n" }],
])("[A-26] the old tests sit with a file that %s as it is now, too", async (_what, files: Files, edits: Files) => {
  const made = await examine({ files, edits: { ...edits, ...NEW_TEST } });
  const [path = ""] = Object.keys(edits);
  expect(made.doubtful).toEqual([{ tree: expect.any(String), paths: [path] }]);
  const tree = made.doubtful?.[0]?.tree;
  expect([shown(made.at, tree, path), shown(made.at, tree, "test/a.test.js")]).toEqual(["wrong", "old"]);
});

const ORACLE = "export { add } from '../test/oracle.js';\n";

test.each([
  ["lies in a folder of tests and is read by name", "spec/rates.json", "read(folder + '/rates.json');\n"],
  ["belongs to a test program and is read by name", "tox.ini", "read('tox.ini');\n"],
  ["helps tests and is imported by the new code", "test/oracle.js", ORACLE],
  ["holds tests and is imported by the new code", "test/b.test.js", "export { add } from '../test/b.test.js';\n"],
])("[A-26] the old tests sit with a file that %s as it is now, too", async (_what, path, code) => {
  const edits = { ...NEW_TEST, [path]: "wrong\n", "src/a.js": code };
  const made = await examine({ files: { [path]: "right\n" }, edits, collected: ["test/a.test.js", "test/b.test.js"] });
  expect(made.doubtful?.[0]?.paths).toEqual([path]);
  const tree = made.doubtful?.[0]?.tree;
  expect([shown(made.at, tree, path), shown(made.at, tree, "test/a.test.js")]).toEqual(["wrong", "old"]);
});

test("[A-26] a file among the tests that code reads by way of another one there sits as it is now, too", async () => {
  const files = { "test/rates.json": "right\n", "test/oracle.js": "read('./rates.json');\n" };
  const made = await examine({ files, edits: { ...NEW_TEST, "src/a.js": ORACLE, "test/rates.json": "wrong\n" } });
  expect(made.doubtful?.[0]?.paths).toEqual(["test/rates.json"]);
});

const CHAIN = Array.from({ length: 9 }, (_, at) => [`test/f${at}.js`, `export * from './f${at + 1}.js';\n`] as const);

test.each([
  ["by way of nine others", { ...Object.fromEntries(CHAIN), "src/b.js": "import '../test/f0.js';\n" }, "test/f9.js"],
  ["by way of more than are followed", longChain(30), "test/f29.js"],
  [
    "because code beside it reads all of its folder",
    { "src/plans/index.js": "readdirSync(here);\n" },
    "src/plans/a.feature",
  ],
  ["because code above it walks down", { "shop/core.py": "os.walk(HERE)\n" }, "shop/spec/each.json"],
  ["because code at the top looks into folders", { "a.go": 'filepath.Glob("*/*.rate")\n' }, "testdata/each.rate"],
  ["because code of C++ lists its folder", { "src/a.cpp": "directory_iterator(here)\n" }, "src/spec/each.json"],
  ["from a source that has a NUL", { "src/b.js": "// \0\nexport * from '../test/oracle.js';\n" }, "test/oracle.js"],
  ["over several lines of Python", { "shop/a.py": "from spec import (\n    rates,\n)\n" }, "spec/rates.py"],
])("[A-26] a file of the exam that code reads %s sits as it is now, too", async (_how, files: Files, path) => {
  const made = await examine({ files: { ...files, [path]: "right\n" }, edits: { ...NEW_TEST, [path]: "wrong\n" } });
  const sits = made.doubtful?.some(({ paths }) => paths.includes(path)) ?? false;
  expect(sits || made.code.includes(path) || made.inseparable.includes(path)).toBe(true);
});

function longChain(length: number): Files {
  return Object.fromEntries(
    Array.from({ length: length - 1 }, (_, at) => [`test/f${at}.js`, `export * from './f${at + 1}.js';\n`]),
  );
}

test("[A-26] a link of the code that leads to a file of the exam reads it", async () => {
  const at = await scene({ "src/a.js": "1\n", "test/oracle.js": "right\n", "test/a.test.js": "old\n" });
  await rm(join(at.repo, "src/a.js"));
  await symlink("../test/oracle.js", join(at.repo, "src/a.js"));
  await writeFile(join(at.repo, "test/oracle.js"), "wrong\n");
  await writeFile(join(at.repo, "test/a.test.js"), "new\n");
  run(at.repo, ["add", "-A"]);
  const now = run(at.repo, ["write-tree"]).trim();
  const made = await composeExam(at.workspace, { old: at.tree, new: now, collected: ["test/a.test.js"] });
  expect(made.doubtful?.[0]?.paths).toEqual(["test/oracle.js"]);
});

test("[A-26] a source that is named like a test reads as the product does", async () => {
  const files = { "src/ab_test.js": "read('../test/rates.json');\n", "test/rates.json": "right\n" };
  const made = await examine({ files, edits: { ...NEW_TEST, "test/rates.json": "wrong\n" } });
  expect(made.doubtful?.[0]?.paths).toEqual(["test/rates.json"]);
});

test("[A-26] Go's tests are put back also where no report names their files", async () => {
  const files = { "a.go": "//go:embed testdata/a.txt\n", "a_test.go": "old\n", "testdata/a.txt": "right\n" };
  const edits = { "a_test.go": "new\n", "testdata/a.txt": "wrong\n" };
  const made = await examine({ files, edits, collected: [] });
  expect(made.doubtful?.[0]?.paths).toEqual(["testdata/a.txt"]);
  expect(shown(made.at, made.doubtful?.[0]?.tree, "a_test.go")).toBe("old");
});

test.each([
  ["a table of cases", "cases.json"],
  ["an expected output", "examples/sum.out"],
  ["a tool that tests may use", "tools/same.js"],
  ["settings of the environment", ".env"],
  ["a drawing", "reference/bar.svg"],
  ["a header that no code takes in", "limits/near.h"],
])("[A-26] the old tests sit with %s as it was, too", async (_what, path) => {
  const made = await examine({ files: { [path]: "right\n" }, edits: { [path]: "wrong\n", ...NEW_TEST } });
  const tree = made.doubtful?.find(({ paths }) => paths.includes(path))?.tree;
  expect([shown(made.at, tree, path), shown(made.at, tree, "src/a.js")]).toEqual(["right", "2"]);
});

test("[A-26] the old tests sit with an unknown part of a manifest as it was, and the rest as it is now", async () => {
  const manifest = (version: string, total: number) => `{"version":"${version}","acceptance":{"total":${total}}}`;
  const files = { "package.json": manifest("1", 20) };
  const made = await examine({ files, edits: { "src/a.js": "2\n", "package.json": manifest("2", 18) } });
  expect(made.doubtful?.map(({ paths }) => paths)).toEqual([["package.json"]]);
  const text = shown(made.at, made.doubtful?.[0]?.tree, "package.json");
  expect(JSON.parse(text)).toEqual({ version: "2", acceptance: { total: 20 } });
});

test("[A-26] the old tests sit with another manifest for each doubt of two", async () => {
  const manifest = (total: number) => `{"acceptance":{"total":${total}}}`;
  const files = { "package.json": manifest(20), "cases.json": "right\n" };
  const made = await examine({ files, edits: { "package.json": manifest(18), "cases.json": "wrong\n" } });
  const seen = made.doubtful?.map(({ tree }) => [
    shown(made.at, tree, "package.json"),
    shown(made.at, tree, "cases.json"),
  ]);
  expect(seen).toEqual([
    [manifest(20), "right"],
    [manifest(20), "wrong"],
    [manifest(18), "right"],
  ]);
});

test("[A-26] the old tests sit with a document as it was where tests read it, and only there", async () => {
  const files = { "docs/prices.md": "right\n", "docs/other.md": "right\n", "test/b.test.js": "read('prices.md');\n" };
  const made = await examine({
    files,
    edits: { ...NEW_TEST, "docs/prices.md": "wrong\n", "docs/other.md": "wrong\n" },
  });
  expect(made.doubtful?.map(({ paths }) => paths)).toEqual([["docs/prices.md"]]);
  expect(shown(made.at, made.doubtful?.[0]?.tree, "docs/prices.md")).toBe("right");
});

test("sources in any language, and headers that code takes in, are no data", async () => {
  const files = { "src/a.cpp": '#include "a.h"\n', "src/a.h": "1\n", "src/b.swift": "1\n", "ci/pack.sh": "1\n" };
  const edits = { "src/a.cpp": '#include "a.h"\n2\n', "src/a.h": "2\n", "src/b.swift": "2\n", "ci/pack.sh": "2\n" };
  expect((await examine({ files, edits: { ...NEW_TEST, ...edits } })).doubtful).toBeUndefined();
});

test("[A-26] a source that tests come from and that lost an expectation cannot be told from them", async () => {
  const files = { "src/b.js": "export const b = 1;\nassert.equal(b, 1);\n" };
  const edits = { "src/b.js": "export const b = 2;\nassert.equal(b, 2);\n" };
  const collected = ["src/b.js"];
  expect((await examine({ files, edits, collected })).inseparable).toEqual(["src/b.js"]);
  expect((await examine({ files, edits })).inseparable).toEqual([]);
  const kept = { "src/b.js": "export const c = 1;\nassert.equal(b, 1);\n" };
  expect((await examine({ files, edits: kept, collected })).inseparable).toEqual([]);
});

test("where tests are where tests are, nothing sits again", async () => {
  const edits = { ...NEW_TEST, "test/helper.js": "new\n", "test/more.test.js": "more\n", "README.md": "new\n" };
  const made = await examine({ files: { "test/helper.js": "old\n" }, edits });
  expect(made.doubtful).toBeUndefined();
});
