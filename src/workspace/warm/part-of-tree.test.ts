import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FolderPart, OpenOptions, WorkFolder } from "../../core/ports/workspace.ts";
import { fill, run, type Scene, scene } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

const FILES = {
  "a.txt": "one\n",
  ".gitignore": "*.log\n",
  "src/one.ts": "1\n",
  "docs/x/old.md": "old\n",
  "docs/x/deep/older.md": "older\n",
  "docs/y/other.md": "other\n",
};
const WRITES = ["docs/x/**"];

async function partScene(): Promise<Scene> {
  const stage = await scene(FILES);
  const workspace = await gitWorkspace({ repo: stage.repo, cache: stage.cache, warmFrom: Object.keys(FILES).length });
  onTestFinished(() => workspace.settled());
  return { ...stage, workspace, ...(await workspace.head()) };
}

const owning = (...own: readonly string[]): OpenOptions => ({
  confined: { files: true },
  share: { run: "r1", key: "k1", own },
});

function partOf({ part }: WorkFolder): FolderPart {
  if (!part) throw new Error("a whole folder");
  return part;
}

test("a writer limited to some folders gets only these, next to the shared tree that others read", async () => {
  const { workspace, tree } = await partScene();
  const reader = await workspace.open(tree, "reader", { confined: { files: true }, share: { run: "r1", key: "k1" } });
  const [one, two] = await Promise.all([
    workspace.open(tree, "one", owning("docs/x")),
    workspace.open(tree, "two", owning("docs/x", "new/place")),
  ]);
  expect(partOf(one)).toEqual({ of: reader.dir, own: ["docs/x"] });
  expect(partOf(two).of).toBe(reader.dir);
  expect(one.dir).not.toBe(two.dir);
  expect(readdirSync(one.dir, { recursive: true }).sort()).toEqual(
    ["docs", "docs/x", "docs/x/deep", "docs/x/deep/older.md", "docs/x/old.md"].sort(),
  );
  expect(statSync(join(reader.dir, "new/place")).isDirectory()).toBe(true);
  expect(run(reader.dir, ["status", "--porcelain"])).toBe("");
});

test("for a small tree every writer gets a complete folder", async () => {
  const { repo, cache } = await partScene();
  const workspace = await gitWorkspace({ repo, cache, warmFrom: Object.keys(FILES).length + 1 });
  const { tree } = await workspace.head();
  const folder = await workspace.open(tree, "one", owning("docs/x"));
  expect(folder.part).toBeUndefined();
  expect(readFileSync(join(folder.dir, "src/one.ts"), "utf8")).toBe("1\n");
});

test("the snapshot of a part is the tree with the changes made in it", async () => {
  const { workspace, tree } = await partScene();
  const folder = await workspace.open(tree, "one", owning("docs/x", "new/place"));
  await fill(folder.dir, { "docs/x/old.md": "new\n", "docs/x/report.md": "r\n", "new/place/n.md": "n\n" });
  await rm(join(folder.dir, "docs/x/deep/older.md"));
  const taken = await workspace.snapshot(folder.dir, { opened: tree, onto: tree, writes: [...WRITES, "new/**"] });
  expect(taken.changed).toEqual(["docs/x/deep/older.md", "docs/x/old.md", "docs/x/report.md", "new/place/n.md"]);
  expect(taken.outside).toEqual([]);
  expect(await workspace.files("", taken.tree)).toEqual(
    [
      "a.txt",
      ".gitignore",
      "src/one.ts",
      "docs/x/old.md",
      "docs/x/report.md",
      "docs/y/other.md",
      "new/place/n.md",
    ].sort(),
  );
});

test("new files of a part outside its scope are reported and not included, and the tree's own rules apply", async () => {
  const { workspace, tree } = await partScene();
  const folder = await workspace.open(tree, "one", owning("docs/x"));
  await fill(folder.dir, { "docs/x/a.log": "l", "docs/x/deep/n.md": "n\n", "docs/x/old.md": "new\n" });
  const taken = await workspace.snapshot(folder.dir, { opened: tree, onto: tree, writes: ["docs/x/old.md"] });
  expect(taken).toMatchObject({ changed: ["docs/x/old.md"], outside: ["docs/x/deep/n.md"] });
});

test("a new link in a part is not included, because its target cannot be checked", async () => {
  const { workspace, tree } = await partScene();
  const folder = await workspace.open(tree, "one", owning("docs/x"));
  await symlink("../../src/one.ts", join(folder.dir, "docs/x/link"));
  const taken = await workspace.snapshot(folder.dir, { opened: tree, onto: tree, writes: WRITES });
  expect(taken).toMatchObject({ tree, changed: [], outside: ["docs/x/link"] });
});

test.each([
  ["a link", (place: string) => symlink("src", place)],
  ["a file", (place: string) => writeFile(place, "file")],
])("if the tree has %s in place of a folder, a complete folder is opened", async (_what, put) => {
  const stage = await partScene();
  await put(join(stage.repo, "linked"));
  run(stage.repo, ["add", "--all"]);
  run(stage.repo, ["commit", "-qm", "Second"]);
  const { tree } = await stage.workspace.head();
  const folder = await stage.workspace.open(tree, "one", owning("linked/x"));
  expect(folder.part).toBeUndefined();
  expect(readFileSync(join(folder.dir, "src/one.ts"), "utf8")).toBe("1\n");
});

test("changes in a part are in no other part and are removed with it; the shared tree serves the next one unchanged", async () => {
  const { workspace, tree } = await partScene();
  const one = await workspace.open(tree, "one", owning("docs/x", "new/place"));
  const { of } = partOf(one);
  await fill(one.dir, { "docs/x/old.md": "evil\n", "new/place/evil.md": "evil\n", "docs/x/deep/evil.md": "evil\n" });
  await one.close();
  const two = await workspace.open(tree, "two", owning("docs/x", "new/place"));
  expect(existsSync(one.dir)).toBe(false);
  expect(readdirSync(two.dir, { recursive: true })).not.toContain("new/place/evil.md");
  expect(readFileSync(join(two.dir, "docs/x/old.md"), "utf8")).toBe("old\n");
  expect(partOf(two).of).toBe(of);
  await two.close();
  await workspace.abandon("r1");
  const writer = await workspace.open(tree, "writer", { confined: { files: true } });
  const found = readdirSync(writer.dir, { recursive: true }).filter((path) => !String(path).startsWith(".git"));
  expect(found.sort()).toEqual(
    [
      "a.txt",
      "docs",
      "docs/x",
      "docs/x/deep",
      "docs/x/deep/older.md",
      "docs/x/old.md",
      "docs/y",
      "docs/y/other.md",
      "src",
      "src/one.ts",
    ].sort(),
  );
});

test("a part that was left is continued, as long as the shared tree exists", async () => {
  const { workspace, tree, repo, cache } = await partScene();
  const left = await workspace.open(tree, "one", owning("docs/x"));
  await writeFile(join(left.dir, "docs/x/begun.md"), "begun\n");
  await left.leave();
  const next = await gitWorkspace({ repo, cache, warmFrom: 1 });
  const again = await next.reopen(left.dir, "two");
  expect(again?.part).toEqual(left.part);
  const taken = await next.snapshot(left.dir, { opened: tree, onto: tree, writes: WRITES });
  expect(taken).toMatchObject({ changed: ["docs/x/begun.md"], outside: [] });
  await again?.leave();
  await rename(partOf(left).of, join(cache, "gone"));
  expect(await next.reopen(left.dir, "three")).toBeUndefined();
});

test("a part that is taken over from its owner is still known as one", async () => {
  const { workspace, tree } = await partScene();
  const folder = await workspace.open(tree, "one", owning("docs/x"));
  await mkdir(join(folder.dir, "docs/x/more"));
  await writeFile(join(folder.dir, "docs/x/more/m.md"), "m\n");
  const taken = await workspace.seize({ dir: folder.dir, name: "two", announce: async () => undefined });
  const snapshot = await workspace.snapshot(taken?.dir ?? "", { opened: tree, onto: tree, writes: WRITES });
  expect(snapshot).toMatchObject({ changed: ["docs/x/more/m.md"], outside: [] });
});
