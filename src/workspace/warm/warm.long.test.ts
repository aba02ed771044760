import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, linkSync, lstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { OpenOptions, Workspace } from "../../core/ports/workspace.ts";
import { fill, fingerprint, run, type Scene, scene } from "../scene.suite.ts";
import { gitWorkspace } from "../workspace.ts";

const FILES = {
  "a.txt": "one\n",
  ".gitignore": "node_modules/\n*.log\n",
  "src/one.ts": "1\n",
  "src/two.ts": "2\n",
  "src/deep/three.ts": "3\n",
  "src/deep/er/four.ts": "4\n",
  "docs/read.md": "read\n",
  "docs/more/read.md": "more\n",
};
const SETFATTR = "/usr/bin/setfattr";
const WALLED: OpenOptions = { confined: { files: true } };
const OPEN_FILES: OpenOptions = { confined: { files: false } };

async function warmScene(): Promise<Scene> {
  const stage = await scene(FILES);
  await symlink("src/one.ts", join(stage.repo, "link"));
  await chmod(join(stage.repo, "docs/read.md"), 0o755);
  run(stage.repo, ["add", "--all"]);
  run(stage.repo, ["commit", "-qm", "Second"]);
  const workspace = await gitWorkspace({ repo: stage.repo, cache: stage.cache, warmFrom: 1 });
  // Background work must not recreate what the end of the test removes.
  onTestFinished(() => workspace.settled());
  return { ...stage, workspace, ...(await workspace.head()) };
}

/** Everything of a folder that the next attempt could notice, except times; the index contains times. */
async function looks(dir: string): Promise<Record<string, string>> {
  const prints = await fingerprint(dir, (path) => path === ".git/index");
  const plain = [...prints].map(([path, print = ""]) => [path, print.replace(/^(\d+) [\d.]*/, "$1")] as const);
  return Object.fromEntries(plain.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function freshLook(workspace: Workspace, tree: string): Promise<Record<string, string>> {
  const fresh = await workspace.open(tree, "fresh");
  const look = await looks(fresh.dir);
  await fresh.close();
  return look;
}

/** Held open until the test is over: the inode of a deleted file may be reused. */
function inode(dir: string, path: string): bigint {
  const held = openSync(join(dir, path), "r");
  onTestFinished(() => closeSync(held));
  return lstatSync(join(dir, path), { bigint: true }).ino;
}

type Mischief = (dir: string, stage: Scene) => Promise<unknown> | undefined;

/** Restores its time to the nanosecond: only the change time differs. */
async function quietly({ root }: Scene, file: string, work: () => Promise<unknown>): Promise<void> {
  const before = join(root, "time");
  execFileSync("touch", ["-r", file, before]);
  await work();
  execFileSync("touch", ["-r", before, file]);
}

const MISCHIEF: Readonly<Record<string, Mischief>> = {
  "nothing at all": () => undefined,
  "ignored and new files": (dir) =>
    fill(dir, { "node_modules/x/index.js": "evil", "src/a.log": "l", "new.ts": "n", "src/deep/new.ts": "n" }),
  "an edit of the same length with its time reset": (dir, stage) =>
    quietly(stage, join(dir, "src/one.ts"), () => writeFile(join(dir, "src/one.ts"), "9\n")),
  "an edit undone": async (dir) => {
    await writeFile(join(dir, "src/one.ts"), "9\n");
    await writeFile(join(dir, "src/one.ts"), "1\n");
  },
  "changed permissions of files": async (dir) => {
    await chmod(join(dir, "src/one.ts"), 0o600);
    await chmod(join(dir, "src/deep/three.ts"), 0o777);
  },
  "changed permissions of folders": async (dir) => {
    await chmod(join(dir, "src"), 0o777);
    await chmod(join(dir, "docs/more"), 0o700);
    await chmod(dir, 0o777);
  },
  "a link in place of a file": async (dir, { repo }) => {
    await rm(join(dir, "src/one.ts"));
    await symlink(join(repo, "a.txt"), join(dir, "src/one.ts"));
  },
  "a link in place of a folder": async (dir, { root }) => {
    await cp(join(dir, "src"), join(root, `elsewhere-${basename(dir)}`), { recursive: true, preserveTimestamps: true });
    await rm(join(dir, "src"), { recursive: true });
    await symlink(join(root, `elsewhere-${basename(dir)}`), join(dir, "src"));
  },
  "a folder moved away and a link to it in its place": async (dir, { root }) => {
    await rename(join(dir, "src"), join(root, `moved-${basename(dir)}`));
    await symlink(join(root, `moved-${basename(dir)}`), join(dir, "src"));
  },
  "a hard link to a file from outside": async (dir, { root }) =>
    linkSync(join(dir, "src/one.ts"), join(root, `mine-${basename(dir)}`)),
  "a file that is also outside in place of one": async (dir, { root }) => {
    await writeFile(join(root, `theirs-${basename(dir)}`), "1\n");
    await rm(join(dir, "src/one.ts"));
    linkSync(join(root, `theirs-${basename(dir)}`), join(dir, "src/one.ts"));
  },
  "a folder moved away and back": async (dir) => {
    await rename(join(dir, "src/deep"), join(dir, "src/away"));
    await writeFile(join(dir, "src/away/er/four.ts"), "9\n");
    await rename(join(dir, "src/away"), join(dir, "src/deep"));
  },
  "two swapped folders": async (dir) => {
    await rename(join(dir, "src/deep"), join(dir, "x"));
    await rename(join(dir, "docs/more"), join(dir, "src/deep"));
    await rename(join(dir, "x"), join(dir, "docs/more"));
  },
  "folders and files removed": async (dir) => {
    await rm(join(dir, "src/deep"), { recursive: true });
    await rm(join(dir, "docs/read.md"));
    await rm(join(dir, "link"));
  },
  "a file in place of a folder": async (dir) => {
    await rm(join(dir, "src"), { recursive: true });
    await writeFile(join(dir, "src"), "file");
  },
  "a FIFO, a repository and empty folders": async (dir) => {
    execFileSync("mkfifo", [join(dir, "src/pipe")]);
    run(dir, ["init", "-q", "src/deep/inner"]);
    await mkdir(join(dir, "empty/er"), { recursive: true });
  },
  "its own repository rewritten": async (dir) => {
    await fill(dir, { ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n", ".git/refs/heads/evil": "0\n" });
    await writeFile(join(dir, ".git/config"), "[core]\n\thooksPath = /evil\n");
    await writeFile(join(dir, ".git/objects/info/alternates"), "/evil\n");
    await writeFile(join(dir, ".git/info/attributes"), "* filter=evil\n");
  },
  "its own commit": async (dir) => {
    await writeFile(join(dir, "src/one.ts"), "9\n");
    run(dir, ["commit", "-qam", "mine"]);
  },
  "conflicting names": (dir) => fill(dir, { ".left-0/x": "x", ".left-1": "x", "src/.left-0": "x" }),
  "an attribute of a file and of a folder": async (dir) => {
    for (const path of ["src/one.ts", "docs"]) execFileSync(SETFATTR, ["-n", "user.evil", "-v", "1", join(dir, path)]);
  },
};

const CANNOT: ReadonlySet<string> = new Set(existsSync(SETFATTR) ? [] : ["an attribute of a file and of a folder"]);

for (const [what, mischief] of Object.entries(MISCHIEF)) {
  // Attributes cannot be set on every system; permissions are protected by the same time.
  test(`[A-12] the next attempt after ${what} sees exactly the tree`, async (context) => {
    if (CANNOT.has(what)) return context.skip(`${SETFATTR} is not installed`);
    const stage = await warmScene();
    const { workspace, tree } = stage;
    const expected = await freshLook(workspace, tree);
    for (const options of [WALLED, OPEN_FILES]) {
      const first = await workspace.open(tree, "first", options);
      const kept = inode(first.dir, "docs/more/read.md");
      await mischief(first.dir, stage);
      await first.close();
      const second = await workspace.open(tree, "second", options);
      expect(existsSync(first.dir)).toBe(false);
      expect(await looks(second.dir)).toEqual(expected);
      expect(run(second.dir, ["status", "--porcelain", "--ignored"])).toBe("");
      const { changed, outside } = await workspace.snapshot(second.dir, { opened: tree, onto: tree });
      expect({ changed, outside }).toEqual({ changed: [], outside: [] });
      if (what === "nothing at all") expect(inode(second.dir, "docs/more/read.md")).toBe(kept);
      await second.close();
    }
  });
}

test("untouched files are not written again, also for another tree", async () => {
  const { workspace, tree, repo } = await warmScene();
  const first = await workspace.open(tree, "first", WALLED);
  const kept = inode(first.dir, "src/deep/er/four.ts");
  await fill(first.dir, { "docs/read.md": "changed\n", "docs/new.md": "new\n", "src/two.ts": "22\n" });
  await rm(join(first.dir, "docs/more"), { recursive: true });
  const taken = await workspace.snapshot(first.dir, { opened: tree, onto: tree });
  await first.close();
  const expected = await freshLook(workspace, taken.tree);
  const second = await workspace.open(taken.tree, "second", WALLED);
  expect(await looks(second.dir)).toEqual(expected);
  expect(inode(second.dir, "src/deep/er/four.ts")).toBe(kept);
  expect(readFileSync(join(second.dir, "docs/new.md"), "utf8")).toBe("new\n");
  await second.close();
  const third = await workspace.open(tree, "third", { ...WALLED, base: taken.tree });
  expect(await looks(third.dir)).toEqual(await baseLook(workspace, tree, taken.tree));
  expect(inode(third.dir, "src/deep/er/four.ts")).toBe(kept);
  expect(run(repo, ["status", "--porcelain"])).toBe("");
});

async function baseLook(workspace: Workspace, tree: string, base: string): Promise<Record<string, string>> {
  const fresh = await workspace.open(tree, "fresh", { base });
  return looks(fresh.dir);
}

test("a change made at once in a reused folder is detected by the snapshot", async () => {
  const { workspace, tree } = await warmScene();
  for (let round = 0; round < 20; round += 1) {
    const opened = await workspace.open(tree, `round-${round}`, WALLED);
    // The same length, within the same tick as far as this program can.
    await writeFile(join(opened.dir, "src/deep/three.ts"), `${round % 10}\n`);
    const { changed } = await workspace.snapshot(opened.dir, { opened: tree, onto: tree });
    expect(changed).toEqual(round % 10 === 3 ? [] : ["src/deep/three.ts"]);
    await opened.close();
  }
});

test("a folder that a process still holds is not reused", async () => {
  const { workspace, tree } = await warmScene();
  const first = await workspace.open(tree, "first", WALLED);
  const kept = inode(first.dir, "src/deep/er/four.ts");
  const script = 'exec 3>>"$1"; echo ready; read -r _; echo late >&3; echo done; read -r _';
  const holder = spawn("/bin/sh", ["-c", script, "sh", join(first.dir, "src/deep/er/four.ts")], { cwd: "/" });
  await once(holder.stdout, "data");
  await first.close();
  const second = await workspace.open(tree, "second", WALLED);
  holder.stdin.write("\n");
  await once(holder.stdout, "data");
  expect(readFileSync(join(second.dir, "src/deep/er/four.ts"), "utf8")).toBe("4\n");
  expect(inode(second.dir, "src/deep/er/four.ts")).not.toBe(kept);
  holder.kill("SIGKILL");
});

test("without confinement of processes, every folder is a new one", async () => {
  const { workspace, tree } = await warmScene();
  const first = await workspace.open(tree, "first");
  await first.close();
  await (await workspace.open(tree, "second", WALLED)).close();
  const third = await workspace.open(tree, "third");
  expect(await looks(third.dir)).toEqual(await freshLook(workspace, tree));
});

test("a folder that a process left is reused by the next one, unless the machine was rebooted", async () => {
  const stage = await warmScene();
  const { workspace, tree, cache, repo } = stage;
  const first = await workspace.open(tree, "first", WALLED);
  const kept = inode(first.dir, "src/deep/er/four.ts");
  await first.close();
  await (await workspace.open(tree, "again", WALLED)).close();
  const scratch = await settledScratch(cache);
  for (const name of readdirSync(scratch).filter((each) => each.endsWith(".owner"))) {
    const text = readFileSync(join(scratch, name), "utf8");
    await writeFile(join(scratch, name), text.replace(/^.*\n/, "nobody\n"));
  }
  const next = await gitWorkspace({ repo, cache, warmFrom: 1 });
  const second = await next.open(tree, "second", WALLED);
  expect(inode(second.dir, "src/deep/er/four.ts")).toBe(kept);
  expect(await looks(second.dir)).toEqual(await freshLook(next, tree));
});

/** Waits until the folder is ready for another attempt. */
async function settledScratch(cache: string): Promise<string> {
  const [own = ""] = readdirSync(join(cache, "git"));
  const scratch = join(cache, "git", own, "scratch");
  await expect.poll(() => readdirSync(scratch).some((name) => name.endsWith(".folders"))).toBe(true);
  return scratch;
}

test("readers of one tree share a folder, and a writer has another", async () => {
  const { workspace, tree } = await warmScene();
  const share = { run: "r1", key: "k1" };
  const filled: string[] = [];
  const laying = async () => {
    filled.push("once");
    return "laid";
  };
  const [one, two] = (await Promise.all(
    ["one", "two"].map((name) => workspace.open(tree, name, { ...WALLED, share })),
  )) as [Awaited<ReturnType<Workspace["open"]>>, Awaited<ReturnType<Workspace["open"]>>];
  expect(one.dir).toBe(two.dir);
  expect(await Promise.all([one.fill(laying), two.fill(laying)])).toEqual(["laid", "laid"]);
  expect(filled).toEqual(["once"]);
  const writer = await workspace.open(tree, "writer", WALLED);
  expect(writer.dir).not.toBe(one.dir);
  await one.close();
  expect(existsSync(two.dir)).toBe(true);
  await two.close();
  const three = await workspace.open(tree, "three", { ...WALLED, share });
  expect(three.dir).toBe(one.dir);
  const other = await workspace.open(tree, "other", { ...WALLED, share: { run: "r1", key: "k2" } });
  expect(other.dir).not.toBe(one.dir);
  await three.close();
  await workspace.abandon("r1");
  expect(existsSync(one.dir)).toBe(false);
});

test("a reader that is stopped while the folder is created or filled does not affect the others", async () => {
  const { workspace, tree } = await warmScene();
  const share = { run: "r1", key: "k1" };
  const stop = new AbortController();
  const opened = (name: string) => workspace.open(tree, name, { ...WALLED, share });
  const stopped = workspace.owned(stop.signal, () => opened("stopped"));
  const other = opened("other");
  stop.abort(new Error("told to stop"));
  const [one, two] = await Promise.all([stopped, other]);
  expect(two.dir).toBe(one.dir);
  expect(await readFile(join(two.dir, "src/deep/er/four.ts"), "utf8")).not.toBe("");
  const broken = one.fill(() => Promise.reject(new Error("told to stop")));
  const filled = two.fill(async () => "laid");
  await expect(broken).rejects.toThrow("told to stop");
  expect(await filled).toBe("laid");
});

test("without confinement of files, every reader has its own folder", async () => {
  const { workspace, tree } = await warmScene();
  const share = { run: "r1", key: "k1" };
  const one = await workspace.open(tree, "one", { ...OPEN_FILES, share });
  const two = await workspace.open(tree, "two", { ...OPEN_FILES, share });
  expect(one.dir).not.toBe(two.dir);
});

test("an index that was not written by the engine does not make a folder reusable", async () => {
  const { workspace, tree, cache } = await warmScene();
  const first = await workspace.open(tree, "first", WALLED);
  const kept = inode(first.dir, "src/deep/er/four.ts");
  const [own = ""] = readdirSync(join(cache, "git"));
  const scratch = join(cache, "git", own, "scratch");
  const index = readdirSync(scratch).find((name) => name.endsWith(".index")) ?? "";
  await copyFile(join(first.dir, "a.txt"), join(scratch, index));
  await first.close();
  const second = await workspace.open(tree, "second", WALLED);
  expect(inode(second.dir, "src/deep/er/four.ts")).not.toBe(kept);
  expect(await looks(second.dir)).toEqual(await freshLook(workspace, tree));
});
