import { existsSync } from "node:fs";
import { chmod, lstat, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runGit } from "./repository/git.ts";
import { fill, run, type Scene, scene, tryRun } from "./scene.suite.ts";

const ATTRIBUTES = "* filter=canary diff=canary merge=canary\n";

test("no hook, filter, fsmonitor or diff program of the user's repository runs", async () => {
  const stage = await scene({ "a.txt": "one\n", ".gitattributes": ATTRIBUTES });
  const canary = await plant(stage);
  await armSettings(stage.repo, canary.program);
  await armHooks(join(stage.repo, ".git", "hooks"), canary.program);
  // Touched, so that every comparison must read the content, for which a filter would run.
  await fill(stage.repo, { "a.txt": "one\n", "b.txt": "b\n" });
  await useEverything(stage);
  expect(canary.fired()).toBe(false);
  tryRun(stage.repo, ["status"]);
  expect(canary.fired()).toBe(true);
});

test("programs that an agent configures in its own .git do not run when the snapshot is taken", async () => {
  const stage = await scene({ "a.txt": "one\n", ".gitattributes": ATTRIBUTES });
  const canary = await plant(stage);
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  await armSettings(dir, canary.program);
  await armHooks(join(dir, ".git", "hooks"), canary.program);
  await rm(join(dir, ".git", "info", "attributes"));
  await fill(dir, { "a.txt": "two\n" });
  const snapshot = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  expect(snapshot.changed).toEqual(["a.txt"]);
  expect(canary.fired()).toBe(false);
  tryRun(dir, ["status"]);
  expect(canary.fired()).toBe(true);
});

test("an agent's changes to its own repository open no other folder to the next agent", async () => {
  const stage = await scene();
  const { dir, leave } = await stage.workspace.open(stage.tree, "agent");
  await writeFile(join(dir, ".git", "objects", "info", "alternates"), `${stage.root}\n`);
  await leave();
  await stage.workspace.reopen(dir, "agent");
  expect(await stage.workspace.borrowed()).toEqual([join(stage.repo, ".git", "objects")]);
});

test("a .git that was removed, redirected or replaced by a link does not affect the snapshot", async () => {
  const stage = await scene();
  const evil = join(stage.root, "evil");
  run(stage.root, ["init", "-q", "evil"]);
  const canary = await plant(stage);
  await armSettings(evil, canary.program);
  const trees: string[] = [];
  for (const rewrite of [
    async () => undefined,
    async (git: string) => writeFile(git, `gitdir: ${join(evil, ".git")}\n`),
    async (git: string) => symlink(join(evil, ".git"), git),
    async (git: string) => symlink(join(stage.repo, ".git"), git),
  ]) {
    const { dir, close } = await stage.workspace.open(stage.tree, "agent");
    await rm(join(dir, ".git"), { recursive: true });
    await rewrite(join(dir, ".git"));
    await fill(dir, { "a.txt": "two\n" });
    const snapshot = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
    expect(snapshot).toMatchObject({ changed: ["a.txt"], outside: [] });
    trees.push(snapshot.tree);
    await close();
  }
  expect(new Set(trees).size).toBe(1);
  expect(canary.fired()).toBe(false);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("a repository inside the attempt is not taken, bare or not", async () => {
  const stage = await scene({ "a.txt": "one\n", "kept/b.txt": "b\n" });
  const canary = await plant(stage);
  const { dir } = await stage.workspace.open(stage.tree, "agent");
  run(dir, ["init", "-q", "nested"]);
  await armSettings(join(dir, "nested"), canary.program);
  await fill(dir, { "nested/x.txt": "x\n" });
  run(dir, ["init", "-q", "kept"]);
  await armSettings(join(dir, "kept"), canary.program);
  await fill(dir, { "kept/b.txt": "changed\n" });
  await fill(dir, { "bare/HEAD": "ref: refs/heads/x\n", "bare/objects/x": "", "bare/refs/x": "" });
  await fill(dir, { "bare/config": `[core]\n\tbare = true\n\tfsmonitor = ${canary.program}\n` });
  const snapshot = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  const names = await stage.workspace.files("", snapshot.tree);
  expect(names.filter((path) => path.split("/").includes(".git"))).toEqual([]);
  const bare = ["HEAD", "config", "objects/x", "refs/x"].map((name) => `bare/${name}`);
  expect(snapshot.outside.toSorted()).toEqual([...bare, "nested"]);
  expect(snapshot.changed).toContain("kept/b.txt");
  expect(names.filter((path) => path.startsWith("bare/"))).toEqual([]);
  expect(canary.fired()).toBe(false);
});

test("a submodule cannot be changed, and git is not run in its repository", async () => {
  const stage = await scene();
  const inner = join(stage.root, "inner");
  run(stage.root, ["init", "-q", "inner"]);
  run(inner, ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "Inner"]);
  run(stage.repo, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "module"]);
  run(stage.repo, ["commit", "-qm", "With a module"]);
  const canary = await plant(stage);
  run(join(stage.repo, "module"), ["config", "core.fsmonitor", canary.program]);
  const { tree } = await stage.workspace.head();
  expect((await stage.workspace.state()).dirt).toEqual([]);
  const { dir } = await stage.workspace.open(tree, "agent");
  expect((await lstat(join(dir, "module"))).isDirectory()).toBe(true);
  await rm(join(dir, "module"), { recursive: true });
  const snapshot = await stage.workspace.snapshot(dir, { opened: tree, onto: tree });
  expect(snapshot).toEqual({ tree, changed: [], outside: ["module"] });
  expect(canary.fired()).toBe(false);
});

test("a NUL in a message does not prevent a commit, and one in a name is refused with a message", async () => {
  const stage = await scene();
  const order = { run: "r1", tree: stage.tree, branch: "b", parent: stage.commit, date: 0 };
  const { commit } = await stage.workspace.commit({ ...order, message: "a\0b" });
  expect(run(stage.repo, ["log", "-1", "--format=%s", commit])).toBe("a\ufffdb");
  const asked = runGit(["rev-parse", "a\0b"], { cwd: stage.repo });
  await expect(asked).rejects.toMatchObject({ code: "INPUT_INVALID", message: expect.stringContaining("NUL") });
});

test("names of refs and messages reach git as values, never as options or commands", async () => {
  const stage = await scene();
  const canary = join(stage.root, "canary");
  const order = { run: "r1", tree: stage.tree, message: "m", branch: "b", parent: stage.commit, date: 0 };
  const names = [
    "--upload-pack=x",
    "a~1",
    "a:b",
    "-d",
    "a..b",
    "a b",
    "x.lock",
    "@{-1}",
    "HEAD",
    "a\nb",
    "a\0b",
    "",
    "../../config",
  ];
  for (const branch of [...names, `$(touch ${canary})`, `a;touch ${canary}`]) {
    const refused = stage.workspace.commit({ ...order, branch });
    await expect(refused, branch).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
  await expect(stage.workspace.pin("../../heads/main", stage.tree)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  const message = `--help; $(touch ${canary}) \`touch ${canary}\``;
  const { commit } = await stage.workspace.commit({ ...order, message });
  expect(run(stage.repo, ["log", "-1", "--format=%s", commit])).toBe(message);
  expect(existsSync(canary)).toBe(false);
});

type Canary = { readonly program: string; fired(): boolean };

/** A program that creates a file when it is run. */
async function plant({ root }: Scene): Promise<Canary> {
  const mark = join(root, "fired");
  const program = join(root, "canary.sh");
  await writeFile(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  await chmod(program, 0o755);
  return { program, fired: () => existsSync(mark) };
}

async function armSettings(repo: string, program: string): Promise<void> {
  for (const name of ["core.fsmonitor", "diff.external", "diff.canary.command", "diff.canary.textconv"]) {
    run(repo, ["config", name, program]);
  }
  for (const name of [
    "filter.canary.clean",
    "filter.canary.smudge",
    "merge.canary.driver",
    "core.editor",
    "core.pager",
  ]) {
    run(repo, ["config", name, program]);
  }
  run(repo, ["config", "filter.canary.required", "true"]);
  run(repo, ["config", "commit.gpgsign", "true"]);
  run(repo, ["config", "gpg.program", program]);
}

async function armHooks(dir: string, program: string): Promise<void> {
  for (const name of ["reference-transaction", "post-checkout", "pre-commit", "post-commit", "post-index-change"]) {
    await fill(dir, { [name]: `#!/bin/sh\nexec ${program} </dev/null\n` });
    await chmod(join(dir, name), 0o755);
  }
}

async function useEverything({ repo, workspace, tree, commit }: Scene): Promise<void> {
  const { dir, close } = await workspace.open(tree, "agent");
  await fill(dir, { "a.txt": "two\n" });
  const mine = await workspace.snapshot(dir, { opened: tree, onto: tree });
  const other = await workspace.render(tree, [{ path: "a.txt", text: "three\n" }]);
  await workspace.merge(tree, [mine.tree, other]);
  await workspace.changes(tree, mine.tree);
  await workspace.file("a.txt", mine.tree);
  await workspace.files("");
  await workspace.state();
  await workspace.pin("r1", mine.tree);
  await workspace.commit({ run: "r1", tree: mine.tree, message: "m", branch: "new", parent: commit, date: 0 });
  await workspace.write("b.txt", "new\n");
  await useTheBranch({ workspace, commit, tree });
  await close();
  expect(existsSync(join(repo, "b.txt"))).toBe(true);
}

/** Under attributes that name a filter a landing is refused; without them it succeeds, and so does the revert. */
async function useTheBranch({ workspace, commit, tree }: Pick<Scene, "workspace" | "commit" | "tree">): Promise<void> {
  const filtered = await workspace.render(tree, [{ path: "x.txt", text: "x\n" }]);
  const plain = await workspace.render(filtered, [{ path: ".gitattributes", text: "* diff=canary merge=canary\n" }]);
  const order = { run: "r2", message: "m", branch: "signalbox/r2", parent: commit, date: 0 };
  const refused = await workspace.commit({ ...order, tree: filtered });
  await expect(workspace.land({ run: "r2", commit: refused.commit, date: 0 })).rejects.toMatchObject({
    code: "FILTER_NEEDED",
  });
  const landable = await workspace.commit({ ...order, run: "r3", branch: "signalbox/r3", tree: plain });
  expect(await workspace.land({ run: "r3", commit: landable.commit, date: 0 })).toMatchObject({ status: "landed" });
  expect(await workspace.diff(tree, plain)).toContain("diff=canary");
  // The revert would restore the filter, and with it a file that the filter creates.
  await expect(workspace.revert({ run: "r3", commits: [landable.commit], date: 0 })).rejects.toMatchObject({
    code: "FILTER_NEEDED",
  });
  await workspace.anchor({ run: "r3", chain: "c", requireHeld: async () => undefined });
  await workspace.sizes();
  await workspace.gc({ runs: [{ run: "r3", commit: landable.commit }], dryRun: false });
}
