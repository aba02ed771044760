import { expect, test } from "vitest";
import { run, type Scene, scene } from "../../workspace/scene.suite.ts";
import { composeExam } from "./exam.ts";

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

test.each([
  ["a table of cases", "cases.json"],
  ["an expected output", "examples/sum.out"],
  ["a tool that tests may use", "tools/same.js"],
])("[A-26] the old tests sit with %s as it was, too", async (_what, path) => {
  const made = await examine({ files: { [path]: "right\n" }, edits: { [path]: "wrong\n", ...NEW_TEST } });
  const tree = made.doubtful?.find(({ paths }) => paths.includes(path))?.tree;
  expect([shown(made.at, tree, path), shown(made.at, tree, "src/a.js")]).toEqual(["right", "2"]);
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
