import { lstat, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRealWorld } from "../../../cli/real-world.ts";
import { fill, run as git, scene } from "../../../workspace/scene.suite.ts";
import type { ExecutorDeps } from "../executor.ts";
import { installCachedSetup } from "./install-cached-setup.ts";
import { runSetup } from "./setup.ts";

const world = createRealWorld({});
const FILES = { "package.json": "{}\n", lock: "1\n", "setup.sh": "", "src/a.js": "1\n" };
const setup = { run: "sh setup.sh", lockFile: "lock" };

/** A repository whose first tree was set up and kept, and a second tree with this change. */
async function kept(change: Readonly<Record<string, string>>) {
  const { repo, workspace, tree: from } = await scene(FILES);
  const cache = join(repo, "..", "setup-cache");
  const parts = { workspace, cache, runs: "/runs", world } as unknown as ExecutorDeps;
  const first = await workspace.open(from, "baseline");
  const home = join(repo, "..", "home");
  await mkdir(home);
  await runSetup({
    ...parts,
    dir: first.dir,
    home,
    tree: from,
    setup,
    keep: true,
    run: () => installed(first.dir),
  });
  await fill(repo, change);
  git(repo, ["add", "--all"]);
  git(repo, ["commit", "--allow-empty", "-qm", "Second"]);
  const { tree } = await workspace.head();
  const { dir } = await workspace.open(tree, "agent");
  return {
    parts,
    dir,
    tree,
    from,
    laid: () => installCachedSetup(parts, { dir, tree, setup: { ...setup, from } }),
  };
}

async function installed(dir: string) {
  await fill(dir, { "node_modules/two/index.js": "2\n" });
  return { name: "set-up", command: setup.run, exitCode: 0, ms: 1, digest: "", snippet: "" };
}

test("an agent gets a copy of the set-up that is kept for its very tree", async () => {
  const { dir, laid } = await kept({});
  expect(await laid()).toEqual({ made: ["node_modules"], exact: true });
  expect(await readFile(join(dir, "node_modules/two/index.js"), "utf8")).toBe("2\n");
});

test("where only files that no set-up reads have changed, it gets that of the tree that the run started from", async () => {
  const { laid } = await kept({ "src/a.js": "2\n" });
  expect(await laid()).toEqual({ made: ["node_modules"], exact: false });
});

test.each([
  ["a manifest", { "package.json": '{"name":"x"}\n' }],
  ["the lock file", { lock: "2\n" }],
  ["a file where the set-up would lie", { "node_modules/own.js": "1\n" }],
])("nothing is laid where the work has changed %s", async (_what, change) => {
  const { dir, laid } = await kept(change);
  expect(await laid()).toBeUndefined();
  await expect(lstat(join(dir, "node_modules/two"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("[A-31] a change of an agent to its copy reaches neither the cached set-up nor another agent", async () => {
  const { parts, dir, tree, from, laid } = await kept({});
  await laid();
  await writeFile(join(dir, "node_modules/two/index.js"), "3\n");
  await writeFile(join(dir, "node_modules/more.js"), "3\n");
  const other = await parts.workspace.open(tree, "other");
  await installCachedSetup(parts, { dir: other.dir, tree, setup: { ...setup, from } });
  expect(await readFile(join(other.dir, "node_modules/two/index.js"), "utf8")).toBe("2\n");
  await expect(lstat(join(other.dir, "node_modules/more.js"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("a set-up of more files than are wanted is not copied", async () => {
  const { parts, dir, tree, from, laid } = await kept({});
  expect(await installCachedSetup(parts, { dir, tree, setup: { ...setup, from }, most: 2 })).toBeUndefined();
  expect(await laid()).toEqual({ made: ["node_modules"], exact: true });
});
