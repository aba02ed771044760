import { readdirSync } from "node:fs";
import { rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, type Scene, scene } from "../scene.suite.ts";
import { requireFewer } from "./bounds.ts";

const GIB = 1024 ** 3;

async function sparse(dir: string, path: string, size: number): Promise<void> {
  await fill(dir, { [path]: "" });
  await truncate(join(dir, path), size);
}

async function taken({ workspace, tree }: Scene, work: (dir: string) => Promise<void>, writes?: readonly string[]) {
  const { dir } = await workspace.open(tree, "agent");
  await work(dir);
  return workspace.snapshot(dir, { opened: tree, onto: tree, ...(writes ? { writes } : {}) });
}

test.each([
  ["a new file", "x", 300 * GIB, "x is 300 GiB; a snapshot accepts files up to 512 MiB"],
  ["a file that was there", "a.txt", 300 * GIB, "a.txt is 300 GiB; a snapshot accepts files up to 512 MiB"],
  ["a file just above the bound", "x", GIB / 2 + 1, "x is 512.0 MiB"],
  [
    "an ignore file",
    "sub/.gitignore",
    300 * GIB,
    "sub/.gitignore is 300 GiB; a snapshot accepts ignore files up to 1 MiB",
  ],
])("%s that is too large is refused by name before git reads it", async (_what, path, size, words) => {
  const stage = await scene();
  const refused = taken(stage, (dir) => sparse(dir, path, size));
  await expect(refused).rejects.toMatchObject({
    code: "FILES_TOO_LARGE",
    message: expect.stringContaining(`not taken: ${words}`),
    hint: expect.stringContaining(".gitignore"),
  });
  expect(strayObjects(stage)).toEqual([]);
});

test("an ignore file with a line that git would crash over is refused with the line's number", async () => {
  const stage = await scene();
  const work = (dir: string) => fill(dir, { "src/.gitignore": `*.log\n${"**/".repeat(300_000)}a\n` });
  await expect(taken(stage, work)).rejects.toMatchObject({
    code: "FILES_TOO_LARGE",
    message: expect.stringContaining("line 2 of src/.gitignore is longer than 4096 characters"),
  });
});

test("files that are too large together are refused with their total", async () => {
  const stage = await scene();
  const many = async (dir: string) => {
    for (const name of ["a", "b", "c", "d", "e"]) await sparse(dir, name, GIB / 2);
  };
  await expect(taken(stage, many)).rejects.toThrow("changed files total 2.5 GiB; a snapshot accepts 2 GiB");
});

test("ignored, unwritable and deleted files may have any size", async () => {
  const stage = await scene({ "a.txt": "one\n", ".gitignore": "core\n" });
  const work = async (dir: string) => {
    await sparse(dir, "core", 300 * GIB);
    await sparse(dir, "other/x", 300 * GIB);
    await fill(dir, { "src/b.txt": "b\n" });
  };
  const snapshot = await taken(stage, work, ["src/**"]);
  expect(snapshot).toMatchObject({ changed: ["src/b.txt"], outside: ["other/x"] });
});

test("too many new files are refused with their number, however many there are", () => {
  expect(() => requireFewer(2_000_000, false)).toThrow("not taken: 2000000 new files; a snapshot accepts up to 200000");
  expect(() => requireFewer(12, true)).toThrow("not taken: more new files than a snapshot accepts (200000)");
  expect(() => requireFewer(200_000, false)).not.toThrow();
});

test("a user's own file that is too large is refused when the checkout's state is read", async () => {
  const stage = await scene();
  await sparse(stage.repo, "x", 300 * GIB);
  await expect(stage.workspace.dirt(["x"])).rejects.toMatchObject({ code: "FILES_TOO_LARGE" });
  await rm(join(stage.repo, "x"));
});

function strayObjects({ repo }: Scene): readonly string[] {
  const files = readdirSync(join(repo, ".git", "objects"), { recursive: true }).map(String);
  return files.filter((file) => /(^|\/)tmp_/.test(file));
}
