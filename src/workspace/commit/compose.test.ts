import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, type Scene, scene } from "../scene.suite.ts";

/** The first tree after some work in a folder. */
async function after({ workspace, tree }: Scene, work: (dir: string) => Promise<void>): Promise<string> {
  const { dir, close } = await workspace.open(tree, "work");
  await work(dir);
  const taken = await workspace.snapshot(dir, { opened: tree, onto: tree });
  await close();
  return taken.tree;
}

const listing = ({ repo }: Scene, tree: string) => run(repo, ["ls-tree", "-r", tree]);

test("paths are copied from the other tree with content and mode, and removed if it has none", async () => {
  const at = await scene({ "a.txt": "one\n", "b.txt": "b\n", "gone.txt": "gone\n" });
  const other = await after(at, async (dir) => {
    await writeFile(join(dir, "a.txt"), "two\n");
    await chmod(join(dir, "a.txt"), 0o755);
    await writeFile(join(dir, "b.txt"), "not asked for\n");
    await rm(join(dir, "gone.txt"));
    await symlink("a.txt", join(dir, "link"));
  });
  const made = await at.workspace.compose(at.tree, { from: other, paths: ["a.txt", "gone.txt", "link"], texts: [] });
  expect(run(at.repo, ["diff-tree", "-r", "--name-only", made, other])).toBe("b.txt");
  expect(listing(at, made)).toMatch(/^100755 .*\ta\.txt$/m);
  expect(listing(at, made)).toMatch(/^120000 .*\tlink$/m);
});

test("a file can replace a folder, and vice versa", async () => {
  const at = await scene({ "x/y.txt": "y\n", z: "z\n" });
  const other = await after(at, async (dir) => {
    await rm(join(dir, "x"), { recursive: true });
    await writeFile(join(dir, "x"), "a file\n");
    await rm(join(dir, "z"));
    await mkdir(join(dir, "z"));
    await writeFile(join(dir, "z/in.txt"), "in\n");
  });
  const paths = ["x", "x/y.txt", "z", "z/in.txt"];
  expect(await at.workspace.compose(at.tree, { from: other, paths, texts: [] })).toBe(other);
  expect(await at.workspace.compose(other, { from: at.tree, paths, texts: [] })).toBe(at.tree);
});

test("texts are written last, and an empty order returns the tree itself", async () => {
  const at = await scene({ "a.txt": "one\n" });
  const other = await after(at, (dir) => writeFile(join(dir, "a.txt"), "two\n"));
  const text = [{ path: "a.txt", text: "three\n" }];
  const made = await at.workspace.compose(at.tree, { from: other, paths: ["a.txt"], texts: text });
  expect(run(at.repo, ["show", `${made}:a.txt`])).toBe("three");
  expect(await at.workspace.compose(at.tree, { from: other, paths: [], texts: [] })).toBe(at.tree);
});

test("lines with a word are found in the tree, whatever their files are named", async () => {
  const at = await scene({
    "odd\nname.js": 'import a from "./slug.js"\n// nothing\n',
    "b.js": "slug\nnot this\nthe $slug.* too\n",
    "nul.js": "// \0\nslug\0 behind it\n",
  });
  await writeFile(join(at.repo, "b.js"), "slug in the checkout\n");
  expect(await at.workspace.mentions(at.tree, ["slug", "no such word"])).toEqual([
    { path: "b.js", text: "slug" },
    { path: "b.js", text: "the $slug.* too" },
    { path: "nul.js", text: "slug\0 behind it" },
    { path: "odd\nname.js", text: 'import a from "./slug.js"' },
  ]);
  expect(await at.workspace.mentions(at.tree, ["absent"])).toEqual([]);
  expect(await at.workspace.mentions(at.tree, ["", "a\nb"])).toEqual([]);
});

test("[H-01] too many lines give no result, and neither do more words than one search takes", async () => {
  const at = await scene({ "few.js": '"x";\n'.repeat(90_000), "many.js": '"y";\n'.repeat(100_001) });
  expect(await at.workspace.mentions(at.tree, ["x", "nowhere"])).toHaveLength(90_000);
  expect(await at.workspace.mentions(at.tree, ["y"])).toBeUndefined();
  expect(await at.workspace.mentions(at.tree, ["a".repeat(70_000)])).toBeUndefined();
});
