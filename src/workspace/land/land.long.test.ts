import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LandResult } from "../../core/ports/workspace.ts";
import { createWork, DATE, fill, fingerprint, run, type Scene, scene, tryRunAsync } from "../scene.suite.ts";

test("work on top of the branch lands by fast-forward, and the checkout follows", async () => {
  const stage = await scene({ "a.txt": "one\n", "gone.txt": "x\n", "same.txt": "s\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "gone.txt": null, "sub/new.txt": "n\n" });
  expect(await land(stage, "r1", commit)).toEqual({
    status: "landed",
    by: "fast-forward",
    branch: "main",
    from: stage.commit,
    to: commit,
    paths: ["a.txt", "gone.txt", "sub/new.txt"],
    checkout: { updated: true },
  });
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(commit);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
  expect(readFileSync(join(stage.repo, "sub/new.txt"), "utf8")).toBe("n\n");
  expect(run(stage.repo, ["reflog", "-1", "--format=%gs", "main"])).toBe("signalbox: land of run r1");
});

test("work in parallel to the branch lands by a merge commit with both parents and the run in its trailers", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  const mine = await commitOf(stage, { "b.txt": "mine\n" });
  const landed = await land(stage, "r1", commit);
  expect(landed).toMatchObject({ status: "landed", by: "merge", from: mine, paths: ["a.txt"] });
  const format = "%P%n%an <%ae>%n%cI%n%B";
  expect(run(stage.repo, ["log", "-1", `--format=${format}`, "main"]).split("\n")).toEqual([
    `${mine} ${commit}`,
    "Signalbox <signalbox@localhost>",
    "2026-11-15T12:00:00+00:00",
    "Merge run r1 into main",
    "",
    "Signalbox-Run: r1",
  ]);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
  expect(run(stage.repo, ["show", "main:b.txt"])).toBe("mine");
  expect(run(stage.repo, ["fsck", "--strict", "--no-dangling"])).toBe("");
});

test("landing the same run again changes nothing and reports that", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await land(stage, "r1", commit);
  const before = await fingerprint(stage.repo);
  expect(await land(stage, "r1", commit)).toEqual({ status: "already", branch: "main", checkout: { updated: true } });
  expect(await fingerprint(stage.repo)).toEqual(before);
});

test("conflicts are returned with their paths, and nothing is changed", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "b.txt": "two\n" });
  await commitOf(stage, { "a.txt": "mine\n" });
  const before = await fingerprint(stage.repo, isObject);
  expect(await land(stage, "r1", commit)).toEqual({ status: "conflicts", branch: "main", paths: ["a.txt"] });
  expect(await fingerprint(stage.repo, isObject)).toEqual(before);
});

test("[A-12] user changes in the affected paths refuse the landing by name, and nothing moves", async () => {
  for (const spoil of [
    (repo: string) => fill(repo, { "a.txt": "edited\n" }),
    (repo: string) => rm(join(repo, "a.txt")),
    async (repo: string) => {
      await fill(repo, { "a.txt": "staged\n" });
      run(repo, ["add", "a.txt"]);
      await fill(repo, { "a.txt": "one\n" });
    },
    (repo: string) => chmod(join(repo, "a.txt"), 0o755),
    async (repo: string) => {
      await rm(join(repo, "a.txt"));
      await mkdir(join(repo, "a.txt"));
    },
    async (repo: string) => {
      await rm(join(repo, "a.txt"));
      await symlink("elsewhere", join(repo, "a.txt"));
    },
    (repo: string) => run(repo, ["rm", "-q", "--cached", "a.txt"]),
  ]) {
    const stage = await scene();
    const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
    await spoil(stage.repo);
    const before = await fingerprint(stage.repo, isObject);
    await expect(land(stage, "r1", commit)).rejects.toMatchObject({
      code: "CHECKOUT_DIRTY",
      message: expect.stringContaining("a.txt"),
    });
    expect(withoutGitFolder(await fingerprint(stage.repo, isObject))).toEqual(withoutGitFolder(before));
  }
});

test("[A-13] untracked files that would be overwritten refuse the landing, ignored ones too, and all are named", async () => {
  const stage = await scene({ "a.txt": "one\n", ".gitignore": "*.log\n" });
  const commit = await createWork(stage, "r1", { "new.txt": "n\n", "deep/x.txt": "x\n", "folder/y.txt": "y\n" });
  await fill(stage.repo, { "new.txt": "mine\n", deep: "a file of mine\n", "folder/y.txt": "mine\n" });
  const before = await fingerprint(stage.repo, isObject);
  const refused = land(stage, "r1", commit);
  await expect(refused).rejects.toMatchObject({
    code: "CHECKOUT_DIRTY",
    message: expect.stringContaining("deep/x.txt, folder/y.txt, new.txt"),
  });
  expect(withoutGitFolder(await fingerprint(stage.repo, isObject))).toEqual(withoutGitFolder(before));
});

test("a user's folder in place of a new file refuses the landing", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { place: "n\n" });
  await fill(stage.repo, { "place/mine.txt": "mine\n" });
  await expect(land(stage, "r1", commit)).rejects.toMatchObject({ code: "CHECKOUT_DIRTY" });
  expect(readFileSync(join(stage.repo, "place/mine.txt"), "utf8")).toBe("mine\n");
});

test("[A-13] everything else of the user is byte-identical: dirty files, staged work, untracked files, stash, hooks", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "new.txt": "n\n" });
  await fill(stage.repo, { "b.txt": "stashed\n" });
  run(stage.repo, ["stash"]);
  await fill(stage.repo, { "b.txt": "staged\n" });
  run(stage.repo, ["add", "b.txt"]);
  await fill(stage.repo, { "b.txt": "unstaged\n", "untracked.txt": "u\n", ".git/hooks/post-merge": "#!/bin/sh\n" });
  await rm(join(stage.repo, "c.txt"));
  const moves = /^$|^(a|new)\.txt$|^\.git$|^\.git\/(index$|objects|logs|refs)/;
  const before = await fingerprint(stage.repo, (path) => moves.test(path));
  const staged = run(stage.repo, ["diff", "--cached"]);
  const stash = run(stage.repo, ["stash", "list"]);
  expect(await land(stage, "r1", commit)).toMatchObject({ status: "landed", checkout: { updated: true } });
  expect(await fingerprint(stage.repo, (path) => moves.test(path))).toEqual(before);
  expect(run(stage.repo, ["diff", "--cached"])).toBe(staged);
  expect(run(stage.repo, ["stash", "list"])).toBe(stash);
  expect(run(stage.repo, ["status", "--porcelain"]).split("\n")).toEqual(["MM b.txt", " D c.txt", "?? untracked.txt"]);
});

test("a file that was only touched, or has the new content already, is no obstacle", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "b.txt": "three\n", "new.txt": "n\n" });
  await writeFile(join(stage.repo, "a.txt"), "one\n");
  await fill(stage.repo, { "b.txt": "three\n", "new.txt": "n\n" });
  expect(await land(stage, "r1", commit)).toMatchObject({ status: "landed", checkout: { updated: true } });
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("files become folders, folders files, modes change and links are created", async () => {
  const stage = await scene({ file: "f\n", "folder/x.txt": "x\n", "run.sh": "#!/bin/sh\n" });
  const { dir, close } = await stage.workspace.open(stage.tree, "r1");
  await rm(join(dir, "file"));
  await rm(join(dir, "folder"), { recursive: true });
  await fill(dir, { "file/inside.txt": "i\n", folder: "now a file\n" });
  await chmod(join(dir, "run.sh"), 0o755);
  await symlink("folder", join(dir, "link"));
  const { tree } = await stage.workspace.snapshot(dir, { opened: stage.tree, onto: stage.tree });
  await close();
  const order = { run: "r1", tree, message: "m", branch: "signalbox/r1", parent: stage.commit, date: DATE };
  const { commit } = await stage.workspace.commit(order);
  expect(await land(stage, "r1", commit)).toMatchObject({ status: "landed", checkout: { updated: true } });
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
  expect(await readlink(join(stage.repo, "link"))).toBe("folder");
});

test("the engine's files in the checkout stay unchanged and are not in the way", async () => {
  const stage = await scene({ "a.txt": "one\n", "roadmap.json": "{}\n" });
  const commit = await createWork(stage, "r1", { "a.txt": "two\n", "roadmap.json": '{"r1":"done"}\n' });
  await fill(stage.repo, { "roadmap.json": '{"r1":"landing"}\n' });
  const order = { run: "r1", commit, date: DATE, kept: ["roadmap.json"] };
  expect(await stage.workspace.land(order)).toMatchObject({ status: "landed", checkout: { updated: true } });
  expect(readFileSync(join(stage.repo, "roadmap.json"), "utf8")).toBe('{"r1":"landing"}\n');
  expect(run(stage.repo, ["status", "--porcelain"])).toBe(" M roadmap.json");
});

test("line endings follow the user's settings and the file's attributes", async () => {
  const stage = await scene({ "a.txt": "one\n", "b.txt": "b\n", ".gitattributes": "*.txt text eol=crlf\n" });
  await rm(join(stage.repo, "a.txt"));
  run(stage.repo, ["checkout", "-q", "--", "a.txt"]);
  expect(readFileSync(join(stage.repo, "a.txt"), "utf8")).toBe("one\r\n");
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  expect(await land(stage, "r1", commit)).toMatchObject({ status: "landed", checkout: { updated: true } });
  expect(readFileSync(join(stage.repo, "a.txt"), "utf8")).toBe("two\r\n");
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("a sparse checkout stays sparse, and a split index stays complete", async () => {
  const stage = await scene({ "in/a.txt": "one\n", "out/b.txt": "b\n" });
  run(stage.repo, ["sparse-checkout", "set", "--no-cone", "/in/"]);
  run(stage.repo, ["update-index", "--split-index"]);
  const commit = await createWork(stage, "r1", { "in/a.txt": "two\n", "out/b.txt": "two\n", "out/c.txt": "c\n" });
  expect(await land(stage, "r1", commit)).toMatchObject({ status: "landed", checkout: { updated: true } });
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
  expect(run(stage.repo, ["ls-files", "-t"]).split("\n")).toEqual(["H in/a.txt", "S out/b.txt", "S out/c.txt"]);
  expect(await readdir(stage.repo)).toEqual([".git", "in"]);
});

test("a commit that moves a submodule is refused with the manual command", async () => {
  const stage = await scene();
  run(stage.repo, ["update-index", "--add", "--cacheinfo", `160000,${stage.commit},module`]);
  const tree = run(stage.repo, ["write-tree"]);
  run(stage.repo, ["read-tree", "HEAD"]);
  const order = { run: "r1", tree, message: "m", branch: "signalbox/r1", parent: stage.commit, date: DATE };
  const { commit } = await stage.workspace.commit(order);
  await expect(land(stage, "r1", commit)).rejects.toMatchObject({
    code: "LAND_REFUSED",
    message: expect.stringContaining("module"),
    hint: expect.stringContaining(`git merge ${commit}`),
  });
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(stage.commit);
});

test("several runs land at once on one branch, and none is lost", async () => {
  const stage = await scene({ "a.txt": "one\n" });
  const runs = ["r1", "r2", "r3", "r4"];
  const commits = new Map<string, string>();
  for (const name of runs) commits.set(name, await createWork(stage, name, { [`${name}.txt`]: "done\n" }));
  const landed = await Promise.all(runs.map((name) => land(stage, name, commits.get(name) ?? "")));
  expect(landed.map(({ status }) => status)).toEqual(runs.map(() => "landed"));
  for (const commit of commits.values()) run(stage.repo, ["merge-base", "--is-ancestor", commit, "main"]);
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
  expect(await stage.workspace.files("")).toEqual(["a.txt", ...runs.map((name) => `${name}.txt`)]);
});

test("a branch that others move meanwhile loses neither their commits nor the run's", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  const theirs = Array.from({ length: 12 }, (_, nth) => pushed(stage, `Somebody else ${nth}`));
  const [landed, ...pushes] = await Promise.all([land(stage, "r1", commit), ...theirs]);
  expect(landed.status).toBe("landed");
  const history = run(stage.repo, ["log", "--format=%s", "main"]).split("\n");
  const names = pushes.filter((name) => name !== undefined);
  expect(names.length).toBeGreaterThan(0);
  expect(history).toEqual(expect.arrayContaining([...names, "Work of r1"]));
  expect(run(stage.repo, ["status", "--porcelain"])).toBe("");
});

test("a branch that is checked out twice is not moved, because the other checkout would not follow", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  run(stage.repo, ["worktree", "add", "-q", "--force", join(stage.root, "linked"), "main"]);
  await expect(land(stage, "r1", commit)).rejects.toMatchObject({ code: "LAND_REFUSED" });
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(stage.commit);
});

test("a commit that is not the run's, or shares no commit with the branch, is refused", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  for (const [name, id] of [
    ["r2", commit],
    ["r1", stage.commit],
    ["r1", "1".repeat(40)],
  ] as const) {
    await expect(land(stage, name, id)).rejects.toMatchObject({ code: "LAND_REFUSED" });
  }
  run(stage.repo, ["checkout", "-q", "--orphan", "other"]);
  run(stage.repo, ["commit", "-qm", "Another beginning"]);
  await expect(land(stage, "r1", commit)).rejects.toMatchObject({
    code: "LAND_REFUSED",
    message: expect.stringContaining("no common commit"),
  });
});

test("a lock of another program is waited for and never removed", { timeout: 30_000 }, async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await fill(stage.repo, { ".git/index.lock": "" });
  await expect(land(stage, "r1", commit)).rejects.toMatchObject({
    code: "CHECKOUT_LOCKED",
    message: expect.stringContaining("index.lock"),
  });
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(stage.commit);
  expect(readFileSync(join(stage.repo, ".git/index.lock"), "utf8")).toBe("");
});

function land({ workspace }: Scene, name: string, commit: string): Promise<LandResult> {
  return workspace.land({ run: name, commit, date: DATE });
}

async function commitOf({ repo }: Scene, files: Readonly<Record<string, string>>): Promise<string> {
  await fill(repo, files);
  run(repo, ["commit", "-qam", "Mine"]);
  return run(repo, ["rev-parse", "HEAD"]);
}

/** Puts a commit with the branch's own tree on it by compare and swap, as a push would; undefined if it lost. */
async function pushed({ repo }: Scene, message: string): Promise<string | undefined> {
  const tip = (await tryRunAsync(repo, ["rev-parse", "refs/heads/main"])).out.trim();
  const made = await tryRunAsync(repo, ["commit-tree", `${tip}^{tree}`, "-p", tip, "-m", message]);
  const moved = await tryRunAsync(repo, ["update-ref", "refs/heads/main", made.out.trim(), tip]);
  return moved.code === 0 ? message : undefined;
}

function isObject(path: string): boolean {
  return path.startsWith(".git/objects");
}

/** Its time changes when the lock is created and removed. */
function withoutGitFolder<T>(prints: Map<string, T>): Map<string, T> {
  return new Map([...prints].filter(([path]) => path !== ".git"));
}
