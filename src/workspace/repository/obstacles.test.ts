import { execFileSync } from "node:child_process";
import { appendFile, mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fill, run, scene } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";
import { findObstacle } from "./obstacles.ts";

async function pipe(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  execFileSync("mkfifo", [path]);
}

test.each([[".gitignore"], ["deep/er/.gitignore"], [".git/info/exclude"]])(
  "a FIFO at %s stops reading the checkout with an error that names it and the command to remove it",
  async (path) => {
    const { repo, workspace } = await scene({ "a.txt": "one\n", "deep/er/b.txt": "b\n" });
    await pipe(join(repo, path));
    await expect(workspace.state()).rejects.toMatchObject({
      code: "CHECKOUT_UNREADABLE",
      message: expect.stringContaining(`git status is blocked by ${join(repo, path)}`),
      hint: expect.stringContaining(`rm ${join(repo, path)}`),
    });
  },
);

test("a FIFO in place of git's own settings stops the first call", async () => {
  const { repo, cache } = await scene();
  await pipe(join(repo, ".git/config"));
  const opening = gitWorkspace({ repo, cache });
  await expect(opening).rejects.toThrow(`git rev-parse is blocked by ${join(repo, ".git/config")}`);
});

test.each([
  [".gitattributes", ".gitattributes"],
  ["src/.gitmodules", "src/.gitmodules"],
  [".mailmap", ".mailmap"],
  [".git/HEAD", ".git/HEAD"],
  [".git/refs/heads/main", ".git/refs/heads/main"],
  ["nested/.git/HEAD", "nested/.git/HEAD"],
  ["named/by/settings", "named/by/settings"],
])("a FIFO at %s is found as what git waits for", async (_title, path) => {
  const { repo } = await scene({ "a.txt": "one\n" });
  await appendFile(join(repo, ".git/config"), "[include]\n\tpath = ../more\n");
  await fill(repo, { more: "[core]\n\texcludesFile = named/by/settings\n" });
  await pipe(join(repo, path));
  const found = await findObstacle({ cwd: repo, env: {} });
  expect(found).toEqual({ path: join(repo, path), kind: "pipe" });
});

test("a linked worktree waits for files in the repository that it shares", async () => {
  const { repo, root } = await scene();
  run(repo, ["worktree", "add", "-q", join(root, "linked")]);
  await pipe(join(repo, ".git/packed-refs"));
  const found = await findObstacle({ cwd: join(root, "linked"), env: {} });
  expect(found).toEqual({ path: join(repo, ".git/packed-refs"), kind: "pipe" });
});

test("settings that link to a device are found, and files that git does not open are no obstacle", async () => {
  const { repo } = await scene({ "a.txt": "one\n" });
  for (const path of ["a.txt", "config", "src/HEAD"]) await pipe(join(repo, path));
  await symlink("/dev/zero", join(repo, ".gitignore"));
  const call = { cwd: repo, env: { GIT_CONFIG_GLOBAL: "/dev/null" } };
  expect(await findObstacle(call)).toBeUndefined();
  await rm(join(repo, ".git/info/exclude"), { force: true });
  await symlink("/dev/zero", join(repo, ".git/info/exclude"));
  expect(await findObstacle(call)).toEqual({ path: join(repo, ".git/info/exclude"), kind: "device" });
});
