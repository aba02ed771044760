import { expect, test } from "vitest";
import { run, scene } from "../../../workspace/scene.suite.ts";
import { composeExam } from "./compose-exam.ts";

type Files = Readonly<Record<string, string>>;
/** The tree without files, which every repository has. */
const NOTHING = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

async function examine(files: Files, edits: Files, collected: readonly string[] = ["test/a.test.js"]) {
  const at = await scene({ "src/a.js": "1\n", "test/a.test.js": "old\n", ...files });
  const texts = Object.entries(edits).map(([path, text]) => ({ path, text }));
  const now = await at.workspace.compose(at.tree, { from: NOTHING, paths: Object.keys(edits), texts });
  const made = await composeExam(at.workspace, { old: at.tree, new: now, collected });
  const shown = (tree: string, path: string) => run(at.repo, ["show", `${tree}:${path}`]);
  return { ...made, shown };
}

const filled = (paths: readonly string[], text: string): Files => Object.fromEntries(paths.map((path) => [path, text]));

test("[A-26] of two tables either one may be the tests': the old tests sit with each of them alone as it was", async () => {
  const paths = ["cases/amounts.json", "src/rates.json"];
  const { doubtful = [], shown } = await examine(filled(paths, "old\n"), filled(paths, "new\n"));
  const seen = doubtful.map(({ tree }) => paths.map((path) => shown(tree, path)).join());
  expect(seen.toSorted()).toEqual(["new,old", "old,new", "old,old"]);
  expect(doubtful.find(({ was }) => was?.[0] === "cases/amounts.json")?.paths).toEqual(["src/rates.json"]);
});

test("[A-26] a recipe and a test beside it sit apart", async () => {
  const paths = ["Makefile", "test_price.cc"];
  const { doubtful = [] } = await examine(filled(paths, "old\n"), filled(paths, "new\n"), []);
  expect(doubtful.map(({ paths: now, was }) => [now, was])).toContainEqual([["Makefile"], ["test_price.cc"]]);
});

test("a new test goes with the recipe that names it", async () => {
  const edits = { Makefile: "bin: test_half.cc\n", "test_half.cc": "new\n" };
  const { doubtful } = await examine({ Makefile: "old\n" }, edits, []);
  expect(doubtful).toBeUndefined();
});

test.each([".npmrc", "vite.config.js", "src/tap.config.js"])("[A-26] the old tests sit with a new %s", async (path) => {
  const edits = { [path]: "new\n", "test/a.test.js": "new\n" };
  const { doubtful = [], shown } = await examine({ [path]: "old\n" }, edits);
  expect(doubtful).toEqual([{ tree: expect.any(String), paths: [path] }]);
  const tree = doubtful[0]?.tree ?? "";
  expect([shown(tree, path), shown(tree, "test/a.test.js")]).toEqual(["new", "old"]);
});

test("new settings have their new set-up with them", async () => {
  const edits = { "vitest.config.js": "setupFiles: ['./test/start.js']\n", "test/start.js": "new\n" };
  const { doubtful = [], shown } = await examine(
    { "vitest.config.js": "old\n" },
    { ...edits, "test/a.test.js": "new\n" },
  );
  expect(shown(doubtful[0]?.tree ?? "", "test/start.js")).toBe("new");
});

test("set-up that only a test program loads does not sit as it is now", async () => {
  const { doubtful } = await examine({ "conftest.py": "old\n" }, { "conftest.py": "new\n", "src/a.js": "2\n" });
  expect(doubtful).toBeUndefined();
});

test("[A-26] with too many undecided files no division is tried", async () => {
  const paths = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `data/${name}.json`);
  const { tangled, doubtful } = await examine(filled(paths, "old\n"), filled(paths, "new\n"));
  expect(tangled).toEqual(paths);
  expect(doubtful?.map((each) => each.paths)).toEqual([paths]);
});

test("[A-26] of four files every division into tests and code sits", async () => {
  const paths = ["cases/a.json", "cases/b.json", "src/c.json", "src/d.json"];
  const { doubtful = [], tangled } = await examine(filled(paths, "old\n"), filled(paths, "new\n"));
  const halves = doubtful.filter(({ paths: now, was }) => now.length === 2 && was?.length === 2);
  expect(halves.map(({ paths: now }) => now)).toContainEqual(["src/c.json", "src/d.json"]);
  expect(halves).toHaveLength(6);
  expect(tangled).toBeUndefined();
});
