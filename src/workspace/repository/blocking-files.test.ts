import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fill, type Scene, scene, temporary } from "../scene.suite.ts";
import { startGit } from "./git-process.ts";

async function pipe(dir: string, path: string): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await rm(join(dir, path), { force: true });
  execFileSync("mkfifo", [join(dir, path)]);
}

async function attempt({ workspace, tree }: Scene) {
  const { dir, restore } = await workspace.open(tree, "agent");
  return { dir, restore, snapshot: () => workspace.snapshot(dir, { opened: tree, onto: tree }) };
}

test.each([
  [".gitattributes"],
  ["deep/er/.gitattributes"],
  ["nested/.git/HEAD"],
  ["elsewhere/HEAD"],
  ["nested/.git/refs/heads/main"],
])("a FIFO at %s, which would block git, is refused by name before git runs", async (path) => {
  const stage = await scene();
  const { dir, snapshot } = await attempt(stage);
  await fill(dir, { "a.txt": "two\n", "elsewhere/x": "x\n", "elsewhere/.git": "gitdir: .\n" });
  await fill(dir, { "nested/.git/objects/x": "", "nested/.git/refs/x": "", "nested/.git/config": "" });
  await pipe(dir, path);
  await expect(snapshot()).rejects.toMatchObject({
    code: "FOLDER_UNREADABLE",
    message: expect.stringContaining(`git cannot read ${path}`),
  });
});

test("a huge attributes file is refused by name", async () => {
  const { dir, snapshot } = await attempt(await scene());
  await fill(dir, { "src/.gitattributes": "" });
  await truncate(join(dir, "src/.gitattributes"), 300 * 1024 ** 3);
  await expect(snapshot()).rejects.toThrow("git cannot read src/.gitattributes");
});

test("a FIFO that git does not open is only left out, and one in the attempt's own .git is never opened", async () => {
  const { dir, snapshot } = await attempt(await scene({ "a.txt": "one\n", "b.txt": "b\n" }));
  await fill(dir, { "a.txt": "two\n" });
  for (const path of [".git/HEAD", ".git/config", ".gitignore", ".gitmodules", "b.txt"]) await pipe(dir, path);
  expect(await snapshot()).toMatchObject({ changed: ["a.txt"], outside: ["b.txt"] });
});

test("files that a check leaves in git's way are removed before the tree is restored", async () => {
  const { dir, restore } = await attempt(await scene({ "a.txt": "one\n", ".gitattributes": "* text\n" }));
  await fill(dir, { "a.txt": "two\n" });
  await pipe(dir, ".gitattributes");
  await pipe(dir, "sub/.gitattributes");
  await restore();
  expect(readFileSync(join(dir, "a.txt"), "utf8")).toBe("one\n");
  expect(readFileSync(join(dir, ".gitattributes"), "utf8")).toBe("* text\n");
});

test("a blocked git is ended at the time limit of its order", async () => {
  const dir = await temporary();
  await pipe(dir, "x");
  const order = { args: ["hash-object", "--no-filters", "x"], cwd: dir, input: "", mostBytes: 100 };
  const answer = await startGit({ ...order, env: { PATH: process.env["PATH"] ?? "" }, mostMs: 50 });
  expect(answer).toMatchObject({ ended: "limit", cut: false });
});

test("a git crash caused by an agent's folder is reported for that folder", async () => {
  const stage = await scene();
  const { snapshot } = await attempt(stage);
  await crashingGit(stage, "--others");
  await expect(snapshot()).rejects.toMatchObject({
    code: "FOLDER_UNREADABLE",
    message: expect.stringMatching(/git ls-files was killed by SIGSEGV because of files in .*agent/),
  });
});

async function crashingGit({ root }: Scene, command: string): Promise<void> {
  const path = process.env["PATH"] ?? "";
  const real = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();
  await mkdir(join(root, "bin"));
  const script = `#!/bin/sh\ncase " $* " in *" ${command} "*) kill -SEGV $$;; esac\nexec ${join(real, "git")} "$@"\n`;
  await writeFile(join(root, "bin", "git"), script);
  await chmod(join(root, "bin", "git"), 0o755);
  process.env["PATH"] = `${join(root, "bin")}${delimiter}${path}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
}
