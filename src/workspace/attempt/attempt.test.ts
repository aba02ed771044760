import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, fingerprint, run, scene, tryRun } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

/** Everything that the engine may add to the user's repository while agents work: objects, and their folders. */
const isObject = (path: string) => /^\.git\/objects\/[0-9a-f]{2}(\/[0-9a-f]{38})?$/.test(path);

test("an opened tree is a separate repository with the tree's files and modes", async () => {
  const { repo, workspace } = await scene({ "run.sh": "#!/bin/sh\n", "src/ü b.txt": "two\n" });
  await chmod(join(repo, "run.sh"), 0o755);
  await symlink("src/ü b.txt", join(repo, "link"));
  run(repo, ["add", "--all"]);
  run(repo, ["commit", "-qm", "Second"]);
  const { tree } = await workspace.head();
  const { dir, close } = await workspace.open(tree, "3 Build/round-1/../x@1");
  expect((await stat(join(dir, "run.sh"))).mode & 0o111).toBe(0o111);
  expect((await lstat(join(dir, "link"))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(dir, "link"), "utf8")).toBe("two\n");
  expect(run(dir, ["status", "--porcelain"])).toBe("");
  expect(run(dir, ["rev-parse", "HEAD^{tree}"])).toBe(tree);
  expect(run(dir, ["log", "--format=%an %s"])).toBe("Signalbox Start of the attempt");
  expect(run(dir, ["rev-parse", "--show-toplevel"])).toBe(dir);
  await close();
  await expect(lstat(dir)).rejects.toMatchObject({ code: "ENOENT" });
});

test("an opened tree has its base as a tag, so its change is one diff away", async () => {
  const { repo, workspace, tree: base } = await scene({ "a.txt": "one\n" });
  await fill(repo, { "a.txt": "two\n", "b.txt": "new\n" });
  run(repo, ["add", "--all"]);
  run(repo, ["commit", "-qm", "Second"]);
  const { tree } = await workspace.head();
  const { dir, close } = await workspace.open(tree, "review", { base });
  expect(run(dir, ["diff", "--name-status", "base"])).toBe("M\ta.txt\nA\tb.txt");
  expect(run(dir, ["log", "--format=%s"])).toBe("Start of the attempt\nWhere the work started from");
  expect(run(dir, ["status", "--porcelain"])).toBe("");
  run(dir, ["worktree", "add", "-q", join(dir, "..", "before"), "base"]);
  expect(await readFile(join(dir, "..", "before", "a.txt"), "utf8")).toBe("one\n");
  await close();
  const same = await workspace.open(base, "review", { base });
  expect(run(same.dir, ["rev-parse", "base"])).toBe(run(same.dir, ["rev-parse", "HEAD"]));
  expect(run(same.dir, ["tag"])).toBe("base");
  await same.close();
});

test("hidden paths of an opened tree are not reported as untracked", async () => {
  const { workspace, tree } = await scene({ "a.txt": "one\n" });
  const { dir, close } = await workspace.open(tree, "agent");
  await workspace.hide(dir, ["node_modules", "odd [name]* "]);
  await fill(dir, { "node_modules/x/index.js": "1\n", "odd [name]* /y": "1\n", "src/node_modules/z": "1\n" });
  expect(run(dir, ["status", "--porcelain", "--untracked-files=all"])).toBe("?? src/node_modules/z");
  await close();
});

test("[A-12] ten ordinary git commands of an agent leave the user's repository byte-identical", async () => {
  const { repo, workspace, tree } = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  await dressUp(repo);
  const before = await fingerprint(repo);
  const { dir, close } = await workspace.open(tree, "agent");
  await fill(dir, { "a.txt": "stashed\n" });
  for (const args of [
    ["config", "user.name", "Mallory"],
    ["stash"],
    ["tag", "v2"],
    ["tag", "-d", "v2"],
    ["branch", "side"],
    ["branch", "-D", "side"],
    ["commit", "-q", "--allow-empty", "-m", "mine"],
    ["reset", "-q", "--hard", "HEAD~1"],
    ["checkout", "-q", "-b", "other"],
    ["gc", "-q", "--prune=now", "--aggressive"],
    ["reflog", "expire", "--expire=now", "--all"],
    ["repack", "-q", "-a", "-d"],
    ["prune", "--expire=now"],
    ["pack-refs", "--all"],
    ["remote", "add", "origin", repo],
    ["update-ref", "-d", "refs/heads/attempt"],
  ]) {
    run(dir, args);
  }
  expect(tryRun(dir, ["tag", "-d", "v1"]).code).not.toBe(0);
  expect(tryRun(dir, ["branch", "-D", "feature"]).code).not.toBe(0);
  await fill(dir, { ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n", "a.txt": "taken\n" });
  expect(await fingerprint(repo)).toEqual(before);

  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(snapshot.changed).toEqual(["a.txt"]);
  await close();
  const after = await fingerprint(repo, (path) => isObject(path) && !before.has(path));
  expect(after).toEqual(before);
  expect(run(repo, ["fsck", "--strict", "--no-dangling"])).toBe("");
});

test("an agent without its .git reaches no repository in a parent folder", async () => {
  const { root, repo, tree } = await scene();
  run(root, ["init", "-q", "home"]);
  const workspace = await gitWorkspace({ repo, cache: join(root, "home", "cache") });
  const { dir } = await workspace.open(tree, "agent");
  await rm(join(dir, ".git"), { recursive: true });
  expect(tryRun(dir, ["config", "user.name", "Mallory"]).code).not.toBe(0);
  expect(tryRun(dir, ["rev-parse", "--git-dir"]).code).not.toBe(0);
  expect((await workspace.snapshot(dir, { opened: tree, onto: tree })).changed).toEqual([]);
});

test("[A-13] opening, taking a snapshot and pinning leave index, stash, dirty and untracked files unchanged", async () => {
  const { repo, workspace, tree } = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  await dressUp(repo);
  const before = await fingerprint(repo);
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { "a.txt": "two\n" });
  const snapshot = await workspace.snapshot(dir, { opened: tree, onto: tree });
  await workspace.state();
  await workspace.files("");
  await workspace.merge(tree, [snapshot.tree, await workspace.render(tree, [{ path: "r.md", text: "r\n" }])]);
  await workspace.pin("run-1", snapshot.tree);
  const ours = (path: string) => path === ".git/refs" || path.startsWith(".git/refs/signalbox");
  const mine = (path: string) => ours(path) || (isObject(path) && !before.has(path));
  expect(await fingerprint(repo, mine)).toEqual(new Map([...before].filter(([path]) => !ours(path))));
});

test("twenty trees are opened at once, each in its own folder", async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`src/${at}.txt`, `${at}\n`]));
  const { workspace, tree, cache } = await scene(files);
  const opened = await Promise.all(Array.from({ length: 20 }, () => workspace.open(tree, "the same name")));
  expect(new Set(opened.map(({ dir }) => dir)).size).toBe(20);
  for (const { dir } of opened) expect(run(dir, ["status", "--porcelain"])).toBe("");
  await Promise.all(opened.map(({ close }) => close()));
  expect(await readdir(join(cache, "attempts"))).toEqual([".git"]);
});

test("closing removes links, not their targets, and also locked folders", async () => {
  const { root, workspace, tree } = await scene();
  await fill(root, { "precious/file.txt": "keep\n" });
  const { dir, close } = await workspace.open(tree, "agent");
  await symlink(join(root, "precious"), join(dir, "precious"));
  await mkdir(join(dir, "locked"));
  await writeFile(join(dir, "locked", "x"), "x");
  await chmod(join(dir, "locked"), 0);
  await close();
  await close();
  expect(await readFile(join(root, "precious", "file.txt"), "utf8")).toBe("keep\n");
  await expect(lstat(dir)).rejects.toMatchObject({ code: "ENOENT" });
});

test("an unknown tree is not opened, and nothing is left of the attempt", async () => {
  const { workspace, cache } = await scene();
  await expect(workspace.open("1".repeat(40), "agent")).rejects.toMatchObject({ code: "OBJECT_GONE" });
  expect(await readdir(join(cache, "attempts"))).toEqual([".git"]);
});

test("settings in the caller's environment do not redirect git", async () => {
  const { root, repo, tree } = await scene();
  const script = `
    const { gitWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, "../workspace.ts"))});
    const workspace = await gitWorkspace({ repo: ${JSON.stringify(repo)}, cache: ${JSON.stringify(join(root, "cache"))} });
    const { dir } = await workspace.open(${JSON.stringify(tree)}, "agent");
    console.log((await workspace.snapshot(dir, { opened: ${JSON.stringify(tree)}, onto: ${JSON.stringify(tree)} })).tree);`;
  const hostile = { GIT_DIR: "/nonexistent", GIT_INDEX_FILE: "/nonexistent", GIT_WORK_TREE: root };
  const env = { ...process.env, ...hostile, GIT_OBJECT_DIRECTORY: "/nonexistent", GIT_EXTERNAL_DIFF: "false" };
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
  expect(out.trim()).toBe(tree);
});

/** Everything of a user that could be lost: stash, tag, branch, staged and unstaged edits, untracked files, hook. */
async function dressUp(repo: string): Promise<void> {
  await fill(repo, { "b.txt": "stashed\n" });
  run(repo, ["stash"]);
  run(repo, ["tag", "v1"]);
  run(repo, ["branch", "feature"]);
  await fill(repo, { "a.txt": "staged\n" });
  run(repo, ["add", "a.txt"]);
  await fill(repo, { "a.txt": "unstaged\n", "untracked.txt": "u\n", ".git/hooks/post-commit": "#!/bin/sh\n" });
}
