import { expect, test } from "vitest";
import { run, scene } from "../../../workspace/scene.suite.ts";
import { composeExam, listComposedTrees } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
/** The tree without files, which every repository has. */
const NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const LOOKS = 'import { existsSync } from "node:fs";\nexport const a = existsSync(somewhere) ? 1 : 2;\n';

async function examine(files: Files, edits: Files, more: { readonly gone?: readonly string[]; code?: string } = {}) {
  const at = await scene({ "src/a.js": "1\n", "test/a.test.js": "old\n", ...files });
  const texts = Object.entries({ "src/a.js": "2\n", ...edits }).map(([path, text]) => ({ path, text }));
  const paths = [...Object.keys(edits), ...(more.gone ?? [])];
  const now = await at.workspace.compose(at.tree, { from: NOTHING, paths, texts });
  const halves = more.code === undefined ? {} : { halves: { tests: [], code: [more.code] } };
  const request = { old: at.tree, new: now, collected: ["test/a.test.js"], ...halves };
  const { around = [] } = await composeExam(at.workspace, request);
  const shown = (tree = "", path = "") => {
    const listed = run(at.repo, ["ls-tree", "--name-only", tree, path]).trim();
    return listed === "" ? undefined : run(at.repo, ["show", `${tree}:${path}`]);
  };
  return { around, shown };
}

test("[A-26] the old tests sit once more beside the tests that the change adds", async () => {
  const { around, shown } = await examine({}, { "test/a.test.js": "new\n", "test/b.test.js": "more\n" });
  expect(around).toEqual([
    { tree: expect.any(String), emptied: expect.any(String), paths: ["test/b.test.js"], how: "beside" },
  ]);
  const [{ tree, emptied } = { tree: "" }] = around;
  expect([tree, emptied].map((each) => shown(each, "test/a.test.js"))).toEqual(["old", "old"]);
  expect([tree, emptied].map((each) => shown(each, "test/b.test.js"))).toEqual(["more", ""]);
});

test("[A-26] beside a test that was moved, too", async () => {
  const { around, shown } = await examine({}, { "test/new/a.test.js": "new\n" }, { gone: ["test/a.test.js"] });
  expect(around.map(({ paths }) => paths)).toEqual([["test/new/a.test.js"]]);
  expect(shown(around[0]?.tree, "test/a.test.js")).toBe("old");
});

test("where no old test is changed, they have sat beside the new ones already", async () => {
  expect((await examine({}, { "test/b.test.js": "more\n" })).around).toEqual([]);
});

test("what decides how tests are run is not emptied beside the old ones", async () => {
  const edits = { "test/a.test.js": "new\n", "test/conftest.py": "more\n", "test/__init__.py": "more\n" };
  const { around } = await examine({}, edits);
  expect(around).toMatchObject([{ how: "beside", paths: ["test/__init__.py", "test/conftest.py"] }]);
  expect(around[0]).not.toHaveProperty("emptied");
});

test("[A-26] what is added outside of the folder of code that looks around is taken away once", async () => {
  const edits = { "src/a.js": LOOKS, "checks/b.js": "more\n", "NOTES.md": "more\n", "src/data.txt": "more\n" };
  const { around, shown } = await examine({}, edits);
  expect(around).toMatchObject([{ how: "without", paths: ["NOTES.md", "checks/b.js"] }]);
  expect(shown(around[0]?.tree, "checks/b.js")).toBeUndefined();
  expect(shown(around[0]?.tree, "src/data.txt")).toBe("more");
});

test.each([
  ["code does not look around", { "src/a.js": "2\n", "checks/b.js": "more\n" }],
  [
    "code imports from there",
    { "src/a.js": `import "../checks/b.js";\n${LOOKS}`, "checks/b.js": "", "checks/c.txt": "" },
  ],
  ["it is a package of its own", { "src/a.js": LOOKS, "checks/package.json": "{}\n", "checks/b.js": "more\n" }],
  ["a build may take it in", { "src/a.js": LOOKS, "native/b.cpp": "more\n" }],
  ["it is some tool's at the top", { "src/a.js": LOOKS, "tool.json": "{}\n" }],
])("it stays where %s", async (_why, edits: Files) => {
  expect((await examine({}, edits)).around).toEqual([]);
});

test("it stays where a person counts it among the code", async () => {
  const edits = { "src/a.js": LOOKS, "checks/b.txt": "more\n" };
  expect((await examine({}, edits)).around).toHaveLength(1);
  expect((await examine({}, edits, { code: "checks/**" })).around).toEqual([]);
});

test("[A-26] a source that only tests import sits as it was", async () => {
  const files = { "src/answer.js": "20\n", "test/a.test.js": 'import "../src/a.js";\nimport "../src/answer.js";\n' };
  const { around, shown } = await examine(
    { ...files, "src/index.js": 'import "./a.js";\n' },
    { "src/answer.js": "40\n" },
  );
  expect(around).toMatchObject([{ how: "was", paths: ["src/answer.js"] }]);
  expect([shown(around[0]?.tree, "src/answer.js"), shown(around[0]?.tree, "src/a.js")]).toEqual(["20", "2"]);
});

test("every tree that tests may run on is pinned, each once", () => {
  const nothing = { exam: [], code: [], inseparable: [] };
  const around = [
    { tree: "beside", emptied: "emptied", paths: [], how: "beside" },
    { tree: "less", paths: [], how: "without" },
  ] as const;
  const doubtful = [{ tree: "less", paths: [] }];
  const kept = listComposedTrees({ ...nothing, oldOnNew: "old-on-new", doubtful, around });
  expect(kept.toSorted()).toEqual(["beside", "emptied", "less", "old-on-new"]);
});

const USES_HEADER: Files = { "tests/all.c": "#include <assert.h>\n", "src/fee.c": "int fee;\n" };

test.each<[what: string, files: Files, path: string]>([
  ["settings of a tool at the top", {}, "postcss.config.mjs"],
  ["settings of a tool in a folder", {}, "web/postcss.config.mjs"],
  ["a workspace of Go", { "go.mod": "module p\n" }, "go.work"],
  ["variables for a tool", {}, ".env.local"],
  ["a patch of a package", {}, "patches/ms+2.1.3.patch"],
  ["a header in the place of the system's", USES_HEADER, "include/assert.h"],
  ["a module in an installed package's place", { "tests/test_a.py": "import assertpy\n" }, "assertpy.py"],
])("[A-38] the old tests run once more without %s", async (_what, files, path) => {
  const { around, shown } = await examine(files, { [path]: "more\n" });
  expect(around).toMatchObject([{ how: "without", paths: [path] }]);
  expect(shown(around[0]?.tree, path)).toBeUndefined();
  expect(shown(around[0]?.tree, "src/a.js")).toBe("2");
});

test.each<[what: string, edits: Files]>([
  ["a source that code imports", { "server.js": "1\n", "src/a.js": 'import "../server.js";\n' }],
  ["a page", { "docs/a.md": "1\n", "NOTES.md": "1\n" }],
  ["what no test program reads", { ".dockerignore": "x\n", Dockerfile: "x\n", ".github/workflows/ci.yml": "x\n" }],
  ["data of the product", { "src/data.json": "{}\n", "public/logo.svg": "x\n", "migrations/2.sql": "x\n" }],
  ["a package with settings of its own", { "web/package.json": "{}\n", "web/postcss.config.mjs": "1\n" }],
  ["a header of the product", { "include/fee.h": "1\n", "src/fee.c": '#include "fee.h"\n' }],
  ["a lock", { "package-lock.json": "{}\n" }],
])("they do not run once more without %s", async (_what, edits) => {
  expect((await examine({}, edits)).around).toEqual([]);
});

const asks = (dev: object, more: object = {}) => JSON.stringify({ name: "p", devDependencies: dev, ...more });

test.each<[what: string, before: Files, after: Files]>([
  ["package.json", { "package.json": asks({ chai: "^5" }) }, { "package.json": asks({ chai: "^6" }) }],
  ["requirements-dev.txt", { "requirements-dev.txt": "assertpy==1\n" }, { "requirements-dev.txt": "assertpy==2\n" }],
])(
  "[A-38] where %s moves packages for development, the old tests run once more with these as they were",
  async (path, before, after) => {
    const { around, shown } = await examine(before, after);
    expect(around).toMatchObject([{ how: "packages", paths: [path] }]);
    expect(shown(around[0]?.tree, path)).toBe(before[path]?.trim());
    expect(shown(around[0]?.tree, "src/a.js")).toBe("2");
  },
);

test.each<[what: string, before: Files, after: Files]>([
  [
    "a dependency is added and used",
    { "package.json": asks({}) },
    { "package.json": asks({}, { dependencies: { left: "1" } }) },
  ],
  [
    "a package for development is added",
    { "package.json": asks({ chai: "^5" }) },
    { "package.json": asks({ chai: "^5", left: "1" }) },
  ],
  ["the product's requirements move", { "requirements.txt": "left==1\n" }, { "requirements.txt": "left==2\n" }],
])("where %s, they do not", async (_what, before, after) => {
  expect((await examine(before, after)).around).toEqual([]);
});
