import { expect, test } from "vitest";
import { fingerprint, run, scene } from "../scene.suite.ts";

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at}\n`);

test("changes of different trees are merged, in different files and in one", async () => {
  const { workspace, tree } = await scene({ "a.txt": TEN.join(""), "b.txt": "b\n" });
  const first = await workspace.render(tree, [{ path: "a.txt", text: ["top\n", ...TEN].join("") }]);
  const second = await workspace.render(tree, [{ path: "a.txt", text: [...TEN, "end\n"].join("") }]);
  const third = await workspace.render(tree, [{ path: "c.txt", text: "c\n" }]);
  const merged = await workspace.merge(tree, [first, second, third]);
  if (!merged.clean) throw new Error(`conflicts in ${merged.conflicts}`);
  expect((await workspace.file("a.txt", merged.tree.tree))?.text).toBe(["top\n", ...TEN, "end\n"].join(""));
  expect(await workspace.files("", merged.tree.tree)).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(await workspace.merge(tree, [first, second, third])).toEqual(merged);
});

test("no tree gives the base, one tree gives itself, equal trees give that tree", async () => {
  const { workspace, tree } = await scene();
  const other = await workspace.render(tree, [{ path: "c.txt", text: "c\n" }]);
  expect(await workspace.merge(tree, [])).toEqual({ clean: true, tree: { tree } });
  expect(await workspace.merge(tree, [other])).toEqual({ clean: true, tree: { tree: other } });
  expect(await workspace.merge(tree, [other, tree, other])).toEqual({ clean: true, tree: { tree: other } });
});

test("[A-15] a conflict names the later tree and every conflicting path", async () => {
  const { workspace, tree } = await scene({ "a b.txt": "a\n", "ü\nx.txt": "b\n", "c.txt": "c\n" });
  const fine = await workspace.render(tree, [{ path: "c.txt", text: "fine\n" }]);
  const edit = (text: string) =>
    workspace.render(tree, [
      { path: "a b.txt", text },
      { path: "ü\nx.txt", text },
    ]);
  const merged = await workspace.merge(tree, [fine, await edit("left\n"), await edit("right\n")]);
  expect(merged).toEqual({ clean: false, at: 2, conflicts: ["a b.txt", "ü\nx.txt"] });
});

test("an edit of a file that the other side deleted is a conflict", async () => {
  const { repo, workspace, tree } = await scene({ "a.txt": "a\n", "b.txt": "b\n" });
  const edited = await workspace.render(tree, [{ path: "a.txt", text: "edited\n" }]);
  run(repo, ["rm", "-q", "--cached", "a.txt"]);
  const deleted = run(repo, ["write-tree"]);
  expect(await workspace.merge(tree, [edited, deleted])).toEqual({ clean: false, at: 1, conflicts: ["a.txt"] });
});

test("merging leaves nothing in the user's repository but the objects of the result", async () => {
  const { repo, workspace, tree } = await scene();
  const trees = await Promise.all(["x", "y"].map((path) => workspace.render(tree, [{ path, text: path }])));
  const before = await fingerprint(repo);
  const merged = await workspace.merge(tree, trees);
  const after = [...(await fingerprint(repo)).keys()].filter((path) => !before.has(path));
  const kinds = after.filter((path) => path.length > 20).map((path) => run(repo, ["cat-file", "-t", idOf(path)]));
  expect(merged.clean).toBe(true);
  expect(kinds).toEqual(["tree"]);
});

function idOf(path: string): string {
  return path.split("/").slice(-2).join("");
}
