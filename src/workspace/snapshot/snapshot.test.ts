import { execFileSync } from "node:child_process";
import { chmod, cp, link, mkdir, open, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, run, type Scene, scene } from "../scene.suite.ts";

test("a snapshot contains what was added, changed, made executable and deleted", async () => {
  const { repo, workspace, tree } = await scene({
    "a.txt": "a\n",
    "run.sh": "x\n",
    "gone.txt": "g\n",
    "d/e.txt": "e\n",
  });
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { "a.txt": "changed\n", "new/deep/file.txt": "n\n" });
  await chmod(join(dir, "run.sh"), 0o755);
  await rm(join(dir, "gone.txt"));
  await rm(join(dir, "d"), { recursive: true });
  await mkdir(join(dir, "empty/folder"), { recursive: true });
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(snapshot.changed).toEqual(["a.txt", "d/e.txt", "gone.txt", "new/deep/file.txt", "run.sh"]);
  expect(snapshot.outside).toEqual([]);
  expect(await workspace.files("", snapshot.tree)).toEqual(["a.txt", "new/deep/file.txt", "run.sh"]);
  expect(run(repo, ["ls-tree", snapshot.tree, "run.sh"])).toMatch(/^100755 /);
});

test("the same work gives the same tree, also for an engine that did not open the folder", async () => {
  const { workspace, tree, cache } = await scene({ "a.txt": "a\n", "b.txt": "b\n" });
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { "a.txt": "changed\n", "c.txt": "c\n" });
  const first = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(await workspace.snapshot(dir, { opened: tree, onto: tree })).toEqual(first);
  const moved = join(cache, "attempts", "elsewhere");
  await rename(dir, moved);
  expect(await workspace.snapshot(moved, { opened: tree, onto: tree })).toEqual(first);
});

test("a file that was only touched, or rewritten with the same bytes, is no change", async () => {
  const { workspace, tree } = await scene({ "a.txt": "a\n", "b.txt": "b\n" });
  const { dir } = await workspace.open(tree, "agent");
  await utimes(join(dir, "a.txt"), 1, 1);
  await rm(join(dir, "b.txt"));
  await fill(dir, { "b.txt": "b\n" });
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree, writes: ["nothing"] });
  expect(snapshot).toEqual({ tree, changed: [], outside: [] });
});

test("a change of the same length right after opening is detected", async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, "aaaa\n"]));
  const { workspace, tree } = await scene(files);
  const { dir } = await workspace.open(tree, "agent");
  await Promise.all(Object.keys(files).map((path) => writeFile(join(dir, path), "bbbb\n")));
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(snapshot.changed).toHaveLength(40);
});

test("strange names survive: spaces, unicode, newline, tab, quotes, leading dash and colon", async () => {
  const { workspace, tree } = await scene();
  const names = [
    "a b",
    "ünï/ço dé",
    "new\nline",
    "tab\tname",
    '"quoted"',
    "-rf",
    ":(glob)*",
    "*",
    "back\\slash",
    "[x]",
  ];
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  const { tree: first } = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(await workspace.files("", first)).toEqual([...names, "a.txt"].sort());
  for (const name of names) expect((await workspace.file(name, first))?.text).toBe(`${name}\n`);
  const again = await workspace.open(first, "agent");
  expect((await workspace.snapshot(again.dir, { opened: first, onto: first })).changed).toEqual([]);
  for (const name of names) await rm(join(again.dir, name));
  const last = await workspace.snapshot(again.dir, { opened: first, onto: first });
  expect(last.tree).toBe(tree);
});

test("a file whose name is not valid text is left out and reported", async () => {
  const { workspace, tree } = await scene();
  const { dir } = await workspace.open(tree, "agent");
  const name = Buffer.concat([Buffer.from(`${dir}/bad`), Buffer.from([0xff])]);
  await writeFile(name, "x");
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(snapshot).toEqual({ tree, changed: [], outside: ["bad\ufffd"] });
});

test("a large file is included completely", async () => {
  const { repo, workspace, tree } = await scene();
  const { dir } = await workspace.open(tree, "agent");
  const handle = await open(join(dir, "large.bin"), "w");
  const block = Buffer.alloc(1 << 20, "0123456789abcdef");
  for (let at = 0; at < 48; at++) await handle.write(block);
  await handle.close();
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(run(repo, ["cat-file", "-s", `${snapshot.tree}:large.bin`])).toBe(String(48 << 20));
});

test("changes outside the globs are reported and not included, deletions too", async () => {
  const { workspace, tree } = await scene({ "src/a.ts": "a\n", "docs/x.md": "x\n", "docs/y.md": "y\n" });
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { "src/a.ts": "b\n", "src/.hidden/b.ts": "n\n", "docs/x.md": "changed\n", "top.txt": "t\n" });
  await rm(join(dir, "docs/y.md"));
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree, writes: ["src/**"] });
  expect(snapshot.changed).toEqual(["src/.hidden/b.ts", "src/a.ts"]);
  expect(snapshot.outside).toEqual(["docs/x.md", "docs/y.md", "top.txt"]);
  expect((await workspace.changes(tree, snapshot.tree)).map(({ path }) => path)).toEqual(snapshot.changed);
});

test("files that the engine rendered are never included, and the rest is put on the tree without them", async () => {
  const { workspace, tree } = await scene({ "a.txt": "a\n" });
  const opened = await workspace.render(tree, [{ path: "plan/state.md", text: "rendered\n" }]);
  const { dir } = await workspace.open(opened, "agent");
  await fill(dir, { "a.txt": "b\n", "plan/state.md": "forged\n", "plan/notes.md": "n\n" });
  const snapshot = await workspace.snapshot(dir, { opened, onto: tree, kept: ["plan/state.md"] });
  expect(snapshot).toMatchObject({ changed: ["a.txt", "plan/notes.md"], outside: ["plan/state.md"] });
  expect(await workspace.files("", snapshot.tree)).toEqual(["a.txt", "plan/notes.md"]);
});

test("files that the opened tree ignores are not included, by rules of any folder", async () => {
  const rules = {
    ".gitignore": "node_modules/\n*.log\n!keep.log\n/top\n",
    "pkg/.gitignore": "out\n/only-here\nsub/x\n!a.log\n",
  };
  const { workspace, tree } = await scene({ ...rules, "tracked.log": "" });
  const { dir } = await workspace.open(tree, "agent");
  const taken = ["keep.log", "deep/top", "pkg/a.log", "pkg/deep/only-here", "pkg/deep/sub/x", "out"];
  const ignored = [
    "node_modules/m/index.js",
    "b.log",
    "top",
    "pkg/b.log",
    "pkg/deep/out",
    "pkg/only-here",
    "pkg/sub/x",
  ];
  await fill(dir, Object.fromEntries([...taken, ...ignored, "pkg/node_modules/n.js"].map((path) => [path, "x\n"])));
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(snapshot.changed).toEqual(taken.sort());
  expect(snapshot.outside).toEqual([]);
});

test.each([
  ["without ignore files", {}],
  ["even if an ignore file of the tree includes them again", { ".gitignore": "!node_modules\n!node_modules/**\n" }],
] as const)(
  "files that the engine placed beside the tree are neither included nor reported, %s",
  async (_what, ignores) => {
    const { workspace, tree } = await scene({ "a.txt": "one\n", ...ignores });
    const { dir, close } = await workspace.open(tree, "agent");
    await fill(dir, {
      "node_modules/x/index.js": "1\n",
      "node_modules/.gitignore": "!*\n",
      "gen/[id].js": "1\n",
      "a.txt": "two\n",
      "src/node_modules/own.js": "1\n",
      ".gitignore": "!node_modules\n",
    });
    const laid = ["node_modules", "gen/[id].js"];
    const taken = await workspace.snapshot(dir, { opened: tree, onto: tree, laid });
    expect(taken.changed).toEqual([".gitignore", "a.txt", "src/node_modules/own.js"]);
    expect(taken.outside).toEqual([]);
    const scoped = await workspace.snapshot(dir, { opened: tree, onto: tree, laid, writes: ["a.txt"] });
    expect(scoped.outside).toEqual([".gitignore", "src/node_modules/own.js"]);
    await close();
  },
);

test("files that checks leave behind are neither included nor reported", async () => {
  const { workspace, tree } = await scene({ "src/a.py": "a\n", "kept/.gitignore": "!.coverage\n" });
  const { dir } = await workspace.open(tree, "agent");
  const caches = [".pytest_cache/v/x", "src/__pycache__/a.cpython-312.pyc", ".ruff_cache/y", "node_modules/.cache/z"];
  const files = [...caches, "src/a.py", "other.txt", "kept/.coverage", "tsconfig.tsbuildinfo"];
  await fill(dir, Object.fromEntries(files.map((path) => [path, "b\n"])));
  const part = await workspace.snapshot(dir, { opened: tree, onto: tree, writes: ["src/**"] });
  expect(part).toMatchObject({ changed: ["src/a.py"], outside: ["kept/.coverage", "other.txt"] });
  const named = await workspace.snapshot(dir, { opened: tree, onto: tree, writes: ["tsconfig.tsbuildinfo"] });
  expect(named.changed).toEqual(["tsconfig.tsbuildinfo"]);
});

test("a tracked file is included although a rule ignores its name", async () => {
  const { repo, workspace } = await scene({ ".gitignore": "*.log\n" });
  await fill(repo, { "tracked.log": "1\n" });
  run(repo, ["add", "--force", "tracked.log"]);
  run(repo, ["commit", "-qm", "Second"]);
  const { tree } = await workspace.head();
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { "tracked.log": "2\n" });
  expect((await workspace.snapshot(dir, { opened: tree, onto: tree })).changed).toEqual(["tracked.log"]);
});

test("an ignore file counts if it is included, and hides nothing if it is not", async () => {
  const { workspace, tree } = await scene({ "src/a.ts": "a\n" });
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { ".gitignore": "node_modules\n", "node_modules/m.js": "m\n", "src/a.ts": "b\n" });
  const whole = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(whole).toMatchObject({ changed: [".gitignore", "src/a.ts"], outside: [] });
  const part = await workspace.snapshot(dir, { opened: tree, onto: tree, writes: ["src/**"] });
  expect(part).toMatchObject({ changed: ["src/a.ts"], outside: [".gitignore", "node_modules/m.js"] });
});

test("links that stay inside are included; those that lead out are refused", async () => {
  const stage = await scene({ "a.txt": "a\n", "src/b.txt": "b\n" });
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  const inside = { "ok-1": "a.txt", "src/ok-2": "../a.txt", "ok-3": "src", "src/ok-4": "not/there/yet" };
  const outward = {
    "no-1": "/etc/passwd",
    "no-2": "../x",
    "src/no-3": "../../x",
    "no-4": ".git/config",
    "no-5": "ok-3/../../x",
  };
  for (const [path, target] of Object.entries({ ...inside, ...outward })) await symlink(target, join(dir, path));
  const snapshot = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  expect(snapshot.changed).toEqual(Object.keys(inside).sort());
  expect(snapshot.outside).toEqual(Object.keys(outward).sort());
  expect(await stage.workspace.file("ok-1", snapshot.tree)).toBeNull();
});

test("a link that leads out through one of the user's own links is refused", async () => {
  const stage = await scene();
  await mkdir(join(stage.root, "outside"));
  await symlink(join(stage.root, "outside"), join(stage.repo, "own"));
  run(stage.repo, ["add", "own"]);
  run(stage.repo, ["commit", "-qm", "With a link"]);
  const { tree } = await stage.workspace.head();
  const { dir } = await stage.workspace.open(tree, "agent");
  await symlink("own", join(dir, "whole"));
  await symlink("own/not-there-yet", join(dir, "part"));
  const snapshot = await stage.workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(snapshot).toEqual({ tree, changed: [], outside: ["part", "whole"] });
});

test("FIFOs and git's own names are refused, also in place of a tracked file", async () => {
  const stage = await scene({ "a.txt": "a\n", "b.txt": "b\n" });
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  await rm(join(dir, "a.txt"));
  execFileSync("mkfifo", [join(dir, "a.txt"), join(dir, "pipe")]);
  await fill(dir, { ".GIT/config": "x\n", "git~1": "x\n", "sub/.Git": "x\n", ".g\u200cit/config": "x\n" });
  const snapshot = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  expect(snapshot.changed).toEqual([]);
  expect(snapshot.tree).toBe(stage.tree);
  expect(snapshot.outside).toContain("a.txt");
  expect(snapshot.outside).toEqual(expect.arrayContaining([".GIT/config", "git~1", "sub/.Git", ".g\u200cit/config"]));
});

test("a folder replaced by a link includes nothing from the link's target", async () => {
  const stage = await scene({ "src/a.txt": "a\n", "b.txt": "b\n" });
  await fill(stage.root, { "outside/a.txt": "secret\n" });
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  await rm(join(dir, "src"), { recursive: true });
  await symlink(join(stage.root, "outside"), join(dir, "src"));
  const snapshot = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  expect(snapshot).toMatchObject({ changed: ["src/a.txt"], outside: ["src"] });
  expect(await stage.workspace.files("", snapshot.tree)).toEqual(["b.txt"]);
});

test("a file may become a folder and a folder a file, unless the old entry has to stay", async () => {
  const stage = await scene({ file: "f\n", "folder/x.txt": "x\n" });
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  await rm(join(dir, "file"));
  await rm(join(dir, "folder"), { recursive: true });
  await fill(dir, { "file/inner.txt": "i\n", folder: "now a file\n" });
  const options = { opened: stage.tree, onto: stage.tree };
  const whole = await stage.workspace.snapshot(dir, options);
  expect(await stage.workspace.files("", whole.tree)).toEqual(["file/inner.txt", "folder"]);
  const part = await stage.workspace.snapshot(dir, { ...options, writes: ["file/**", "folder"] });
  expect(part).toEqual({
    tree: stage.tree,
    changed: [],
    outside: ["file", "file/inner.txt", "folder", "folder/x.txt"],
  });
});

test("a folder that was replaced by a link, or removed, cannot be taken from", async () => {
  const stage = await scene();
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  await rm(dir, { recursive: true });
  const taking = () => stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  await expect(taking()).rejects.toMatchObject({ code: "INPUT_INVALID" });
  await symlink(stage.repo, dir);
  await expect(taking()).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("[A-14] a pinned tree survives the user's garbage collection", async () => {
  const stage = await scene();
  const [pinned, loose] = [await workOf(stage, "pinned\n"), await workOf(stage, "loose\n")];
  await stage.workspace.pin("run-1", pinned);
  await stage.workspace.pin("run-1", pinned);
  run(stage.repo, ["gc", "-q", "--prune=now"]);
  expect((await stage.workspace.file("a.txt", pinned))?.text).toBe("pinned\n");
  await expect(stage.workspace.file("a.txt", loose)).rejects.toMatchObject({ code: "OBJECT_GONE" });
  expect(run(stage.repo, ["rev-parse", `refs/signalbox/run-1/t/${pinned}`])).toBe(pinned);
});

test("hard links and copies of whole folders are ordinary files", async () => {
  const stage = await scene({ "src/a.txt": "a\n" });
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  await link(join(dir, "src/a.txt"), join(dir, "src/same.txt"));
  await cp(join(dir, "src"), join(dir, "copy"), { recursive: true });
  const snapshot = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  expect(snapshot.changed).toEqual(["copy/a.txt", "copy/same.txt", "src/same.txt"]);
  expect(await readFile(join(stage.repo, "src/a.txt"), "utf8")).toBe("a\n");
});

async function workOf({ workspace, tree }: Scene, text: string): Promise<string> {
  const { dir, close } = await workspace.open(tree, "agent");
  await fill(dir, { "a.txt": text });
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  await close();
  return snapshot.tree;
}

test("an ignored file is included only if it is granted by name", async () => {
  const { workspace, tree } = await scene({ ".gitignore": "prompts/\n", "a.txt": "a\n" });
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { "prompts/ABC-1/plan.md": "the plan\n", "prompts/ABC-1/other.md": "not asked for\n" });
  const wide = await workspace.snapshot(dir, { opened: tree, onto: tree, writes: ["prompts/**"] });
  expect(wide.changed).toEqual([]);
  const named = ["prompts/ABC-1/plan.md", "a.txt", "prompts/ABC-1/missing.md"];
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree, writes: named });
  expect(snapshot.changed).toEqual(["prompts/ABC-1/plan.md"]);
  expect((await workspace.file("prompts/ABC-1/plan.md", snapshot.tree))?.text).toBe("the plan\n");
});
