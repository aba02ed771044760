import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { OpenOptions, SetupOrder, Workspace } from "../../core/ports/workspace.ts";
import { scene } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

const WALLED: OpenOptions = { confined: { files: true } };
const MADE = {
  "node_modules/one/index.js": "1",
  "node_modules/one/lib/deep.js": "deep",
  "node_modules/two/index.js": "2",
  "node_modules/.lock": "lock",
};

/** A set-up that counts its copied entries. */
function setupOf(
  key: string,
  made: Readonly<Record<string, string>> = MADE,
): SetupOrder & { readonly copied: string[] } {
  const folders = new Set(Object.keys(made).flatMap((path) => [dirname(path), dirname(dirname(path))]));
  folders.delete(".");
  folders.add("node_modules/empty");
  const copied: string[] = [];
  const files = Object.keys(made).map((path) => ({ path, kind: "file" as const }));
  const links = [{ path: "node_modules/bin", kind: "link" as const }];
  const entries = [...[...folders].sort().map((path) => ({ path, kind: "folder" as const })), ...files, ...links];
  return {
    key,
    made: ["node_modules"],
    entries,
    copied,
    async copy(to, paths) {
      for (const path of [...folders].sort()) await mkdir(join(to, path), { recursive: true });
      for (const { path, kind } of [...files, ...links]) {
        if (paths && !paths.has(path)) continue;
        copied.push(path);
        if (kind === "link") await symlink("one/index.js", join(to, path));
        else await writeFile(join(to, path), made[path] ?? "", { flag: "wx" });
      }
      return true;
    },
  };
}

async function warmWorkspace(): Promise<{ workspace: Workspace; tree: string }> {
  const { repo, cache, tree } = await scene({ "a.txt": "a\n", "src/b.txt": "b\n", ".gitignore": "node_modules/\n" });
  const workspace = await gitWorkspace({ repo, cache, warmFrom: 1 });
  onTestFinished(() => workspace.settled());
  return { workspace, tree };
}

function found(dir: string): Record<string, string> {
  const paths = readdirSync(join(dir, "node_modules"), { recursive: true, withFileTypes: true });
  const files = paths.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file) => [file.slice(dir.length + 1), readFileSync(file, "utf8")]));
}

test("[A-31] a set-up is reused from the previous folder, and only changed files are copied again", async () => {
  const { workspace, tree } = await warmWorkspace();
  const setup = setupOf("k");
  const first = await workspace.open(tree, "first", WALLED);
  expect(await first.place(setup)).toBe(true);
  const inode = lstatSync(join(first.dir, "node_modules/one/lib/deep.js")).ino;
  setup.copied.length = 0;
  const evil = join(first.dir, "node_modules/two/index.js");
  // To the nanosecond: only the change time differs.
  const time = join(first.dir, "time");
  execFileSync("touch", ["-r", evil, time]);
  await writeFile(evil, "9");
  execFileSync("touch", ["-r", time, evil]);
  await mkdir(join(first.dir, "node_modules/.cache"));
  await writeFile(join(first.dir, "node_modules/.cache/x"), "evil");
  await writeFile(join(first.dir, "node_modules/one/evil.js"), "evil");
  await first.close();
  const second = await workspace.open(tree, "second", WALLED);
  expect(readdirSync(second.dir).sort()).toEqual([".git", ".gitignore", "a.txt", "src"]);
  expect(await second.place(setup)).toBe(true);
  expect(found(second.dir)).toEqual(MADE);
  expect(existsSync(join(second.dir, "node_modules/empty"))).toBe(true);
  expect(lstatSync(join(second.dir, "node_modules/bin")).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(second.dir, "node_modules/one/lib/deep.js")).ino).toBe(inode);
  expect(setup.copied).not.toContain("node_modules/one/lib/deep.js");
  expect(setup.copied).toContain("node_modules/two/index.js");
});

test("[A-31] a set-up that is reused again and again stays the same", async () => {
  const { workspace, tree } = await warmWorkspace();
  const setup = setupOf("k");
  for (let n = 0; n < 5; n += 1) {
    const folder = await workspace.open(tree, `round-${n}`, WALLED);
    // An attempt in between does not use it.
    if (n !== 2) {
      await folder.place(setup);
      expect(found(folder.dir)).toEqual(MADE);
      await rm(join(folder.dir, "node_modules/one"), { recursive: true });
      await symlink("/etc", join(folder.dir, "node_modules/one"));
    } else expect(existsSync(join(folder.dir, "node_modules"))).toBe(false);
    await folder.close();
  }
  expect(setup.copied.filter((path) => path === "node_modules/two/index.js")).toHaveLength(1);
});

test("[A-31] another set-up is copied completely, and nothing of the previous one remains", async () => {
  const { workspace, tree } = await warmWorkspace();
  const first = await workspace.open(tree, "first", WALLED);
  await first.place(setupOf("k"));
  await first.close();
  const second = await workspace.open(tree, "second", WALLED);
  await second.place(setupOf("other", { "node_modules/three/index.js": "3" }));
  expect(found(second.dir)).toEqual({ "node_modules/three/index.js": "3" });
});

test("[A-31] a set-up that could not be repaired is not reused", async () => {
  const { workspace, tree } = await warmWorkspace();
  const setup = setupOf("k");
  const first = await workspace.open(tree, "first", WALLED);
  await first.place({ ...setup, copy: async (to, paths) => (paths ? false : setup.copy(to)) });
  await writeFile(join(first.dir, "node_modules/.lock"), "evil");
  await first.close();
  const second = await workspace.open(tree, "second", WALLED);
  setup.copied.length = 0;
  await second.place(setup);
  expect(found(second.dir)).toEqual(MADE);
  expect(setup.copied).toHaveLength(setup.entries.filter(({ kind }) => kind !== "folder").length);
});
