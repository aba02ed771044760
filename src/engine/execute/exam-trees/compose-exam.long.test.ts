import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ExamTrees } from "../../../core/journal/effect.ts";
import { run, type Scene, scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
/** Null removes. */
type Edits = Readonly<Record<string, string | null>>;

type Examined = ExamTrees & { readonly at: Scene; readonly old: string; readonly new: string };

async function examine(files: Files, edits: Edits): Promise<Examined> {
  const at = await scene(files);
  const texts = Object.entries(edits).flatMap(([path, text]) => (text === null ? [] : [{ path, text }]));
  const now = await at.workspace.compose(at.tree, { from: NOTHING, paths: Object.keys(edits), texts });
  return examineTree(at, now);
}

async function examineTree(at: Scene, now: string): Promise<Examined> {
  const request = { old: at.tree, new: now };
  return { ...(await composeExam(at.workspace, request)), ...request, at };
}

/** The tree without files, which every repository has. */
const NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

function shown({ at }: Examined, tree: string | undefined, path: string): string | undefined {
  const listed = run(at.repo, ["ls-tree", "-r", "--name-only", tree ?? ""]).split("\n");
  return listed.includes(path) ? run(at.repo, ["show", `${tree}:${path}`]) : undefined;
}

const TEST = 'import { slug } from "../src/slug.js";\n';
const BASE: Files = { "src/slug.js": "export const slug = 1;\n", "test/slug.test.js": `${TEST}// old\n` };

test("[A-26] a change of code alone needs no other tree", async () => {
  const made = await examine(BASE, { "src/slug.js": "2\n" });
  expect(made).toMatchObject({ exam: [], code: ["src/slug.js"], inseparable: [] });
  expect([made.oldOnNew, made.newOnOld, made.oldOnNewOldPackages]).toEqual([undefined, undefined, undefined]);
});

test("[A-26] [A-27] the old exam meets the new code, and the new exam the old code", async () => {
  const made = await examine(BASE, {
    "src/slug.js": "2\n",
    "test/slug.test.js": "new\n",
    "test/more.test.js": "more\n",
  });
  expect(made).toMatchObject({ exam: ["test/more.test.js", "test/slug.test.js"], code: ["src/slug.js"] });
  expect(shown(made, made.oldOnNew, "src/slug.js")).toBe("2");
  expect(shown(made, made.oldOnNew, "test/slug.test.js")).toContain("// old");
  expect(shown(made, made.oldOnNew, "test/more.test.js")).toBeUndefined();
  expect(shown(made, made.newOnOld, "src/slug.js")).toContain("slug = 1");
  expect(shown(made, made.newOnOld, "test/more.test.js")).toBe("more");
});

test.each([
  ["moved into src", "src/slug.test.js"],
  ["renamed", "test/slugs.test.js"],
  ["moved out of sight", "src/notes.js"],
])("[A-26] a test that was %s is where it was for the old exam", async (_how, to) => {
  const made = await examine(BASE, { "src/slug.js": "2\n", "test/slug.test.js": null, [to]: "emptied\n" });
  expect(shown(made, made.oldOnNew, "test/slug.test.js")).toContain("// old");
  expect(made.exam).toContain("test/slug.test.js");
});

const CHEATS: Record<string, readonly [Files, Edits]> = {
  "a vitest.config.ts with setup files": [{}, { "vitest.config.ts": "setupFiles: ['./tools/x.ts']\n" }],
  "settings of another kind for vitest": [{}, { "vitest.e2e.config.mts": "x\n" }],
  "a conftest.py": [{}, { "conftest.py": "def pytest_runtest_makereport(): ...\n" }],
  "a conftest.py further down": [{}, { "pkg/conftest.py": "x\n" }],
  "a snapshot that was rewritten": [
    { "src/__snapshots__/a.test.js.snap": "old\n" },
    { "src/__snapshots__/a.test.js.snap": "new\n" },
  ],
  "a snapshot of node-tap": [{ "tap-snapshots/a.cjs": "old\n" }, { "tap-snapshots/a.cjs": "new\n" }],
  "an .npmrc with another shell for scripts": [{}, { ".npmrc": "script-shell=/bin/true\n" }],
  "variables for tests": [{}, { ".env.test": "FAKE=1\n" }],
  "a babel plugin that rewrites assertions": [
    { "babel.config.js": "old\n" },
    { "babel.config.js": "env: { test: { plugins: ['./fake'] } }\n" },
  ],
  "another recipe in a Makefile": [{ Makefile: "test:\n\tgo test\n" }, { Makefile: "test:\n\ttrue\n" }],
  "a manual mock": [{}, { "__mocks__/fs.js": "fake\n" }],
  "a module that Python loads first": [{}, { "sitecustomize.py": "fake\n" }],
  "a module in pytest's place": [{}, { "pytest.py": "fake\n" }],
  "a fixture below the tests": [{ "test/fixtures/in.json": "old\n" }, { "test/fixtures/in.json": "new\n" }],
  "Go's testdata": [{ "pkg/testdata/in.txt": "old\n" }, { "pkg/testdata/in.txt": "new\n" }],
  "a Go test beside its code": [{ "pkg/a_test.go": "old\n" }, { "pkg/a_test.go": "new\n" }],
  "a test program's link": [{}, { "node_modules/.bin/vitest": "fake\n" }],
};

test.each(Object.entries(CHEATS))("[A-26] %s is not in the old exam", async (_what, [files, edits]) => {
  const made = await examine({ ...BASE, ...files }, { "src/slug.js": "2\n", ...edits });
  expect(made.exam).toEqual(Object.keys(edits).sort());
  for (const path of Object.keys(edits)) expect(shown(made, made.oldOnNew, path)).toBe(files[path]?.trimEnd());
  expect(shown(made, made.oldOnNew, "src/slug.js")).toBe("2");
});

test("[A-26] a helper in src that only tests use is the exam, and what code uses too is code", async () => {
  const files = {
    ...BASE,
    "src/testing/render.js": "old\n",
    "src/testing/index.js": 'export * from "./render.js";\n',
    "src/mocks/clock.js": "old\n",
    "src/main.js": 'import { clock } from "./mocks/clock.js";\n',
    "test/slug.test.js": 'import { render } from "../src/testing/index.js";\nimport "../src/mocks/clock.js";\n',
  };
  const edits = { "src/testing/render.js": "new\n", "src/mocks/clock.js": "new\n" };
  const made = await examine(files, edits);
  expect(made).toMatchObject({ exam: ["src/testing/render.js"], code: ["src/mocks/clock.js"] });
});

test("[A-26] what is being tested is code, though nothing but tests uses it", async () => {
  const files = { ...BASE, "src/pkg/testing.py": "old\n", "tests/test_testing.py": "from pkg.testing import x\n" };
  const made = await examine(files, { "src/slug.js": "2\n", "src/pkg/testing.py": "new\n" });
  expect(made).toMatchObject({ exam: [], code: ["src/pkg/testing.py", "src/slug.js"] });
});

test("[A-26] who uses a file is asked in the old tree: a new import makes no exam of code, and no code of the exam", async () => {
  const files = { ...BASE, "src/testing/fake.js": "old\n", "test/a.test.js": 'import "../src/testing/fake.js";\n' };
  const edits = { "src/testing/fake.js": "new\n", "src/main.js": 'import "./testing/fake.js";\n' };
  const made = await examine(files, edits);
  expect(shown(made, made.oldOnNew, "src/testing/fake.js")).toBe("old");
});

test.each<[string, Edits]>([
  ["a test", { "lib/index.js": 'export * from "./test.js";\n', "lib/test.js": "repairs\n" }],
  ["a link of a built program", { "zz/notes.sh": 'make "build/tests"\n', "build/tests": "true\n" }],
  [
    "a package of fakes",
    { "src/slug.js": 'import "./fakes/a.js";\n', "src/fakes/a.js": "x\n", "test/b.test.js": '"../src/fakes/a.js"\n' },
  ],
])("[A-26] %s that was added is no code because other files of the change name it", async (_what, edits) => {
  const made = await examine(BASE, { "src/slug.js": "2\n", ...edits });
  const added = Object.keys(edits).find((path) => /lib\/test|build|fakes/.test(path)) ?? "";
  expect(made.exam).toContain(added);
  expect(shown(made, made.oldOnNew, added)).toBeUndefined();
});

test("what was added is code where a file says so that the change left alone", async () => {
  const made = await examine(
    { ...BASE, "src/main.js": 'import("./test-report.js");\n' },
    { "src/test-report.js": "x\n" },
  );
  expect(made).toMatchObject({ exam: [], code: ["src/test-report.js"] });
});

test("[A-26] a module in the place of one that test programs load is the exam where it is new", async () => {
  const added = await examine(BASE, { "src/slug.js": "2\n", "difflib.py": "x\n", "iniconfig/__init__.py": "x\n" });
  expect(added).toMatchObject({ exam: ["difflib.py", "iniconfig/__init__.py"], code: ["src/slug.js"] });
  const changed = await examine({ ...BASE, "queue.py": "old\n" }, { "queue.py": "new\n" });
  expect(changed).toMatchObject({ exam: [], code: ["queue.py"] });
});

test("[A-26] a folder named spec that code imports from is code, to the last file of it", async () => {
  const files = {
    "src/main.ts": 'import { spec } from "./spec/index.ts";\n',
    "src/spec/index.ts": 'export * from "./parser.ts";\n',
    "src/spec/parser.ts": "old\n",
    "src/test-report.ts": "old\n",
    "src/report.ts": 'import "./test-report.js";\n',
    "spec/unused.js": "old\n",
  };
  const edits = { "src/spec/parser.ts": "new\n", "src/test-report.ts": "new\n", "spec/unused.js": "new\n" };
  const made = await examine(files, edits);
  expect(made).toMatchObject({ exam: ["spec/unused.js"], code: ["src/spec/parser.ts", "src/test-report.ts"] });
});

test("[A-26] a set-up file that the settings name is the exam wherever it lies", async () => {
  const files = { ...BASE, "vitest.config.js": "setupFiles: ['./tools/prepare.js']\n", "tools/prepare.js": "old\n" };
  const made = await examine(files, { "src/slug.js": "2\n", "tools/prepare.js": "vi.mock()\n" });
  expect(made.exam).toEqual(["tools/prepare.js"]);
  expect(shown(made, made.oldOnNew, "tools/prepare.js")).toBe("old");
});

const MANIFEST = {
  name: "p",
  scripts: { build: "b", test: "npm run unit", unit: "vitest run" },
  dependencies: { a: "1" },
};
const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

test("[A-26] of package.json the scripts that test and the settings of test programs stay, the rest is the code's", async () => {
  const changed = {
    name: "p",
    type: "module",
    scripts: { build: "c", test: "true", unit: "true", lint: "l" },
    dependencies: { a: "2", b: "1" },
    jest: { moduleNameMapper: { "(.*)slug": "<rootDir>/fake.js" } },
  };
  const files = { ...BASE, "package.json": text(MANIFEST), "package-lock.json": "old\n" };
  const made = await examine(files, { "package.json": text(changed), "package-lock.json": "new\n" });
  expect(made).toMatchObject({ exam: ["package.json"], code: ["package-lock.json", "package.json"], inseparable: [] });
  expect(JSON.parse(shown(made, made.oldOnNew, "package.json") ?? "")).toEqual({
    name: "p",
    type: "module",
    scripts: { build: "c", test: "npm run unit", unit: "vitest run", lint: "l" },
    dependencies: { a: "2", b: "1" },
  });
  expect(JSON.parse(shown(made, made.newOnOld, "package.json") ?? "")).toMatchObject({
    scripts: { build: "b", test: "true" },
    dependencies: { a: "1" },
    jest: {},
  });
  expect(shown(made, made.oldOnNew, "package-lock.json")).toBe("new");
  expect(shown(made, made.oldOnNewOldPackages, "package-lock.json")).toBe("old");
  expect(shown(made, made.oldOnNewOldPackages, "package.json")).toBe(text(MANIFEST).trimEnd());
});

test("packages as they were need no tree of their own", async () => {
  const edits = { "package.json": text({ ...MANIFEST, description: "new" }), "test/slug.test.js": "new\n" };
  const made = await examine({ ...BASE, "package.json": text(MANIFEST) }, edits);
  expect(made).toMatchObject({ exam: ["test/slug.test.js"], code: ["package.json"] });
  expect(made.oldOnNewOldPackages).toBeUndefined();
});

test.each<[string, string]>([
  ["is no JSON", "{ broken\n"],
  ["takes its test program from a folder", text({ ...MANIFEST, devDependencies: { vitest: "file:./fake" } })],
  [
    "runs something new when it is installed",
    text({ ...MANIFEST, scripts: { ...MANIFEST.scripts, postinstall: "x" } }),
  ],
])("[A-26] a package.json that %s is said to be inseparable", async (_how, now) => {
  const edits = { "package.json": now, "test/slug.test.js": "new\n" };
  const made = await examine({ ...BASE, "package.json": text(MANIFEST) }, edits);
  expect(made.inseparable).toEqual(["package.json"]);
  expect(made.code).toContain("package.json");
});

test("[A-26] a link in place of a test, and a file in place of the tests' folder, are undone", async () => {
  const at = await scene(BASE);
  const { dir } = await at.workspace.open(at.tree, "work");
  await writeFile(join(dir, "src/slug.js"), "2\n");
  await rm(join(dir, "test/slug.test.js"));
  await symlink("../src/slug.js", join(dir, "test/slug.test.js"));
  const { tree } = await at.workspace.snapshot(dir, { opened: at.tree, onto: at.tree });
  const linked = await examineTree(at, tree);
  expect(linked.exam).toEqual(["test/slug.test.js"]);
  expect(shown(linked, linked.oldOnNew, "test/slug.test.js")).toContain("// old");
  const flat = await examine(BASE, { "src/slug.js": "2\n", test: "no folder\n" });
  expect(flat).toMatchObject({ exam: ["test", "test/slug.test.js"], code: ["src/slug.js"] });
  expect(shown(flat, flat.oldOnNew, "test/slug.test.js")).toContain("// old");
  expect(shown(flat, flat.newOnOld, "test")).toBe("no folder");
});

test("[A-26] code that stands where a test was keeps its place, and the test is missing", async () => {
  const files = { "src/x/y.test.js": "old\n", "src/main.js": "1\n" };
  const made = await examine(files, { "src/x": "a file now\n", "test/other.test.js": "new\n" });
  expect(made.inseparable).toEqual(["src/x/y.test.js"]);
  expect(shown(made, made.oldOnNew, "src/x")).toBe("a file now");
});

test("[A-26] tests within a Rust file stay with the old exam, the code around them is the new one", async () => {
  const rust = (code: string, body: string) =>
    `pub fn f() -> u8 { ${code} }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { ${body} }\n}\n`;
  const files = { "src/lib.rs": rust("1", "assert_eq!(f(), 1)") };
  const made = await examine(files, { "src/lib.rs": rust("2", "") });
  expect(made).toMatchObject({ exam: ["src/lib.rs"], code: ["src/lib.rs"], inseparable: [] });
  expect(shown(made, made.oldOnNew, "src/lib.rs")).toBe(rust("2", "assert_eq!(f(), 1)").trimEnd());
  expect(shown(made, made.newOnOld, "src/lib.rs")).toBe(rust("1", "").trimEnd());
});

test("[A-26] tests within a source that cannot be taken out are said to be inseparable", async () => {
  const made = await examine(BASE, { "src/slug.js": "if (import.meta.vitest) { test('x', () => {}) }\n" });
  expect(made).toMatchObject({ code: ["src/slug.js"], inseparable: ["src/slug.js"] });
});
