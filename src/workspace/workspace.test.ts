import { spawn } from "node:child_process";
import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, run, scene, temporary } from "./scene.suite.ts";
import { gitWorkspace } from "./workspace.ts";

test("a folder that is no repository is refused with a fix", async () => {
  const root = await temporary();
  const refused = gitWorkspace({ repo: root, cache: join(root, "cache") });
  await expect(refused).rejects.toMatchObject({ code: "NOT_A_REPOSITORY", hint: expect.stringContaining("git init") });
  const missing = gitWorkspace({ repo: join(root, "nowhere"), cache: join(root, "cache") });
  await expect(missing).rejects.toMatchObject({ code: "NOT_A_REPOSITORY" });
});

test("a repository without a commit is refused with a fix", async () => {
  const root = await temporary();
  run(root, ["init", "-q", "repo"]);
  const refused = gitWorkspace({ repo: join(root, "repo"), cache: join(root, "cache") });
  await expect(refused).rejects.toMatchObject({
    code: "REPOSITORY_EMPTY",
    hint: expect.stringContaining("git commit"),
  });
});

test("a bare repository is refused, because it has no checkout", async () => {
  const root = await temporary();
  run(root, ["init", "-q", "--bare", "repo"]);
  const refused = gitWorkspace({ repo: join(root, "repo"), cache: join(root, "cache") });
  await expect(refused).rejects.toMatchObject({ code: "NOT_A_REPOSITORY" });
});

test("a folder for attempts inside the repository is refused", async () => {
  const { repo } = await scene();
  const refused = gitWorkspace({ repo, cache: join(repo, "cache") });
  await expect(refused).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("a workspace on a subfolder or a linked worktree uses that checkout", async () => {
  const { root, repo, tree } = await scene({ "sub/a.txt": "one\n" });
  const below = await gitWorkspace({ repo: join(repo, "sub"), cache: join(root, "cache") });
  expect(await below.file("sub/a.txt")).toMatchObject({ text: "one\n" });
  run(repo, ["worktree", "add", "-q", "-b", "side", join(root, "linked")]);
  const linked = await gitWorkspace({ repo: join(root, "linked"), cache: join(root, "cache") });
  expect(await linked.head()).toMatchObject({ branch: "side", tree });
  const opened = await linked.open(tree, "from a linked worktree");
  await fill(opened.dir, { "sub/a.txt": "two\n" });
  const snapshot = await linked.snapshot(opened.dir, { opened: tree, onto: tree });
  expect(run(repo, ["cat-file", "blob", `${snapshot.tree}:sub/a.txt`])).toBe("two");
});

test("a repository with sha256 ids works like any other", async () => {
  const root = await temporary();
  const repo = join(root, "repo");
  run(root, ["init", "-q", "--object-format=sha256", "repo"]);
  run(repo, ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "First"]);
  const workspace = await gitWorkspace({ repo, cache: join(root, "cache") });
  const { tree } = await workspace.head();
  const opened = await workspace.open(tree, "long ids");
  await fill(opened.dir, { "a.txt": "one\n" });
  const snapshot = await workspace.snapshot(opened.dir, { opened: tree, onto: tree });
  expect(snapshot.tree).toHaveLength(64);
  expect(await workspace.files("", snapshot.tree)).toEqual(["a.txt"]);
});

test("head names commit, tree and branch, and no branch when detached", async () => {
  const { repo, workspace, commit, tree } = await scene();
  expect(await workspace.head()).toEqual({ commit, tree, branch: "main" });
  run(repo, ["checkout", "-q", "--detach"]);
  expect(await workspace.head()).toEqual({ commit, tree, branch: null });
});

test("the state of a clean checkout has no dirt and no operation", async () => {
  const { workspace } = await scene();
  expect(await workspace.state()).toEqual({ branch: "main", dirt: [], operation: null });
});

test("dirty paths are changed, staged, deleted and untracked ones, but never Signalbox's own files", async () => {
  const { repo, workspace } = await scene({ "a b.txt": "one\n", "gone.txt": "x\n", ".gitignore": "*.log\n" });
  await rm(join(repo, "gone.txt"));
  await fill(repo, { "a b.txt": "two\n", "neu ü.txt": "n\n", "x.log": "ignored\n", ".signalbox/state.json": "{}" });
  await fill(repo, { "staged.txt": "s\n" });
  run(repo, ["add", "staged.txt"]);
  const state = await workspace.state();
  expect(state.dirt).toEqual(["a b.txt", "gone.txt", "neu ü.txt", "staged.txt"]);
});

test("an operation in progress is named", async () => {
  const { repo, workspace } = await scene();
  const commitOn = async (branch: string, text: string) => {
    run(repo, ["checkout", "-q", "-B", branch, "main"]);
    await fill(repo, { "a.txt": text });
    run(repo, ["commit", "-qam", branch]);
  };
  await commitOn("left", "left\n");
  await commitOn("right", "right\n");
  for (const [args, operation] of [
    [["merge", "left"], "merge"],
    [["rebase", "left"], "rebase"],
    [["cherry-pick", "left"], "cherry-pick"],
  ] as const) {
    expect(() => run(repo, args)).toThrow();
    expect((await workspace.state()).operation).toBe(operation);
    run(repo, [operation, "--abort"]);
  }
  run(repo, ["revert", "--no-commit", "HEAD"]);
  expect((await workspace.state()).operation).toBe("revert");
  run(repo, ["revert", "--abort"]);
  run(repo, ["bisect", "start"]);
  expect((await workspace.state()).operation).toBe("bisect");
});

test("a file is read from the checkout or from a tree, with the hash of its bytes", async () => {
  const { repo, workspace, tree } = await scene({ "docs/a b.md": "one\n" });
  await fill(repo, { "docs/a b.md": "two\n" });
  const [now, then] = [await workspace.file("docs/a b.md"), await workspace.file("docs/a b.md", tree)];
  expect([now?.text, then?.text]).toEqual(["two\n", "one\n"]);
  // sha256 of "one\n", from sha256sum
  expect(then?.hash).toBe("2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806");
  expect(await workspace.file("nothing.md")).toBeNull();
  expect(await workspace.file("docs", tree)).toBeNull();
});

test("nothing outside the repository can be read, whatever the path", async () => {
  const { root, repo, workspace } = await scene();
  await fill(root, { "secret.txt": "secret", "outside/secret.txt": "secret" });
  await symlink(join(root, "secret.txt"), join(repo, "link.txt"));
  await symlink(join(root, "outside"), join(repo, "folder"));
  await symlink(".git", join(repo, "alias"));
  run(repo, ["add", "--all"]);
  run(repo, ["commit", "-qm", "links"]);
  const { tree } = await workspace.head();
  const paths = ["../secret.txt", "a/../../secret.txt", join(root, "secret.txt"), "link.txt", "folder/secret.txt"];
  paths.push(".git/config", ".GIT/config", "alias/config", "", ".", "a.txt\0", "--help", "-", ":/a.txt", "HEAD:a.txt");
  for (const path of paths) {
    expect(await workspace.file(path), path).toBeNull();
    expect(await workspace.file(path, tree), path).toBeNull();
  }
});

test("a FIFO in place of a file is no file, and does not block", async () => {
  const { repo, workspace } = await scene();
  await new Promise((done) => spawn("mkfifo", [join(repo, "pipe")]).on("close", done));
  expect(await workspace.file("pipe")).toBeNull();
});

test("files lists the content of a tree of the checkout", async () => {
  const { repo, workspace, tree } = await scene({
    "src/a.ts": "",
    "src/b/c.ts": "",
    "x.md": "",
    ".gitignore": "out/\n",
  });
  await fill(repo, { "src/new.ts": "", "out/built.js": "" });
  await rm(join(repo, "src/a.ts"));
  expect(await workspace.files("src")).toEqual(["src/b/c.ts", "src/new.ts"]);
  expect(await workspace.files("")).toEqual([".gitignore", "src/b/c.ts", "src/new.ts", "x.md"]);
  expect(await workspace.files("src/", tree)).toEqual(["src/a.ts", "src/b/c.ts"]);
  expect(await workspace.files("../", tree)).toEqual([]);
});

test("changes between trees are added, modified or deleted", async () => {
  const { repo, workspace, tree } = await scene({ "a.txt": "1\n", "b.sh": "2\n", "c.txt": "3\n" });
  await fill(repo, { "a.txt": "changed\n", "new\nline.txt": "n\n" });
  await chmod(join(repo, "b.sh"), 0o755);
  await rm(join(repo, "c.txt"));
  run(repo, ["add", "--all"]);
  run(repo, ["commit", "-qm", "Second"]);
  expect(await workspace.changes(tree, (await workspace.head()).tree)).toEqual([
    { path: "a.txt", status: "modified" },
    { path: "b.sh", status: "modified" },
    { path: "c.txt", status: "deleted" },
    { path: "new\nline.txt", status: "added" },
  ]);
});

test("an invalid object id is refused before git runs", async () => {
  const { workspace, tree } = await scene();
  for (const id of ["--help", "HEAD", "main^{tree}", "", `${tree}\n`]) {
    await expect(workspace.changes(id, tree)).rejects.toMatchObject({ code: "INPUT_INVALID" });
    await expect(workspace.open(id, "x")).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
});

test("rendering replaces files of a tree and leaves the rest", async () => {
  const { repo, workspace, tree } = await scene({ "a.txt": "1\n", "docs/plan.md": "old\n", folder: "a file\n" });
  const files = [
    { path: "docs/plan.md", text: "new ü\n" },
    { path: "folder/in its place.md", text: "" },
    { path: "-leading\nline", text: "x" },
  ];
  const rendered = await workspace.render(tree, files);
  expect(await workspace.files("", rendered)).toEqual([
    "-leading\nline",
    "a.txt",
    "docs/plan.md",
    "folder/in its place.md",
  ]);
  expect((await workspace.file("docs/plan.md", rendered))?.text).toBe("new ü\n");
  expect(await workspace.render(tree, files)).toBe(rendered);
  expect(await workspace.render(tree, [])).toBe(tree);
  expect(run(repo, ["status", "--porcelain"])).toBe("");
});

test("a rendered file cannot leave the tree", async () => {
  const { workspace, tree } = await scene();
  for (const path of ["../x", "/x", ".git/hooks/post-checkout", "a/.GIT/config", ""]) {
    await expect(workspace.render(tree, [{ path, text: "x" }])).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
});

test("rendered text is stored unchanged, whatever attributes the tree has", async () => {
  const { workspace, tree } = await scene({ ".gitattributes": "*.txt text eol=crlf\n*.md filter=shout ident\n" });
  const text = "one\r\ntwo\n$Id$\n";
  const rendered = await workspace.render(tree, [
    { path: "a.txt", text },
    { path: "b.md", text },
  ]);
  expect((await workspace.file("a.txt", rendered))?.text).toBe(text);
  const opened = await workspace.open(rendered, "raw");
  const unchanged = await workspace.snapshot(opened.dir, { opened: rendered, onto: rendered });
  expect(unchanged).toEqual({ tree: rendered, changed: [], outside: [] });
  await writeFile(join(opened.dir, "a.txt"), text + text);
  const changed = await workspace.snapshot(opened.dir, { opened: rendered, onto: rendered });
  expect((await workspace.file("a.txt", changed.tree))?.text).toBe(text + text);
});
