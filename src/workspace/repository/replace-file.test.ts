import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, scene } from "../scene.suite.ts";

test("a file is created with its folders, replaced, and its hash equals that of a read", async () => {
  const { repo, workspace } = await scene();
  await workspace.write("docs/deep/plan.md", "one ü\n");
  const { hash } = await workspace.write("docs/deep/plan.md", "two ü\n");
  expect(await workspace.file("docs/deep/plan.md")).toEqual({ text: "two ü\n", hash });
  expect(await readdir(join(repo, "docs/deep"))).toEqual(["plan.md"]);
});

test("a file that was edited or deleted since is not replaced", async () => {
  const { repo, workspace } = await scene();
  const seen = await workspace.file("a.txt");
  await workspace.write("a.txt", "two\n", seen?.hash);
  await fill(repo, { "a.txt": "edited by a person\n" });
  for (const path of ["a.txt", "gone.txt"]) {
    const refused = workspace.write(path, "three\n", seen?.hash);
    await expect(refused).rejects.toMatchObject({ code: "WRITE_REFUSED", message: expect.stringContaining(path) });
  }
  expect(await readFile(join(repo, "a.txt"), "utf8")).toBe("edited by a person\n");
  await expect(lstat(join(repo, "gone.txt"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("a write that an engine completed before it died counts as done", async () => {
  const { workspace } = await scene();
  const seen = await workspace.file("a.txt");
  const { hash } = await workspace.write("a.txt", "two\n", seen?.hash);
  expect(await workspace.write("a.txt", "two\n", seen?.hash)).toEqual({ hash });
});

test("a replaced file keeps its mode", async () => {
  const { repo, workspace } = await scene({ "run.sh": "x\n" });
  await chmod(join(repo, "run.sh"), 0o755);
  await workspace.write("run.sh", "y\n");
  expect((await stat(join(repo, "run.sh"))).mode & 0o777).toBe(0o755);
});

test("nothing is written outside the checkout or into its .git", async () => {
  const { root, repo, workspace } = await scene();
  await mkdir(join(root, "outside"));
  await symlink(join(root, "outside"), join(repo, "out"));
  await symlink(join(root, "not-there"), join(repo, "dangling"));
  await symlink(".git", join(repo, "alias"));
  for (const path of ["../x", "/tmp/x", "a/../../x", ".git/config", ".GIT/config", "", ".", "x\0y"]) {
    await expect(workspace.write(path, "x"), path).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
  for (const path of ["out/x", "out/deep/x", "dangling/x", "alias/config", "alias/hooks/pre-commit"]) {
    await expect(workspace.write(path, "x"), path).rejects.toMatchObject({ code: "WRITE_REFUSED" });
  }
  expect(await readdir(join(root, "outside"))).toEqual([]);
  await expect(lstat(join(root, "not-there"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("a link is replaced by the file, and its target stays", async () => {
  const { root, repo, workspace } = await scene();
  await fill(root, { "target.txt": "keep\n" });
  await symlink(join(root, "target.txt"), join(repo, "link.txt"));
  await workspace.write("link.txt", "new\n");
  expect((await lstat(join(repo, "link.txt"))).isFile()).toBe(true);
  expect(await readFile(join(root, "target.txt"), "utf8")).toBe("keep\n");
});

test("a folder is not replaced", async () => {
  const { workspace } = await scene({ "docs/a.md": "a\n" });
  await expect(workspace.write("docs", "x")).rejects.toMatchObject({ code: "WRITE_REFUSED" });
});

test("a reader gets the old or the new content, never a part", async () => {
  const { repo, workspace } = await scene();
  const texts = ["a".repeat(300_000), "b".repeat(200_000)];
  await workspace.write("a.txt", texts[0] ?? "");
  const writing = (async () => {
    for (let at = 0; at < 20; at++) await workspace.write("a.txt", texts[at % 2] ?? "");
    return true;
  })();
  let done = false;
  void writing.then(() => {
    done = true;
  });
  let looks = 0;
  while (!done) {
    expect(texts.includes(await readFile(join(repo, "a.txt"), "utf8"))).toBe(true);
    looks++;
  }
  await writing;
  expect(looks).toBeGreaterThan(0);
});
