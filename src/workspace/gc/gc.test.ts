import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createWork, DATE, fill, fingerprint, run, type Scene, scene } from "../scene.suite.ts";

test("sizes reports what each run stores besides branches and tags, and the size of attempts and caches", async () => {
  const stage = await scene();
  const text = Array.from({ length: 5_000 }, () => Math.random().toString(36)).join("\n");
  const lost = await stage.workspace.render(stage.tree, [{ path: "lost.txt", text }]);
  await stage.workspace.pin("r1", lost);
  await createWork(stage, "r2", { "a.txt": "two\n" });
  const { dir } = await stage.workspace.open(stage.tree, "r2-0123456789abcdef");
  const sizes = await stage.workspace.sizes();
  expect(sizes.runs.map(({ run: name, refs }) => [name, refs])).toEqual([
    ["r1", 1],
    ["r2", 1],
  ]);
  expect(sizes.runs[0]?.bytes).toBeGreaterThan(10_000);
  expect(sizes.runs[1]?.bytes).toBe(0);
  expect(sizes.attempts).toEqual([{ dir, bytes: expect.any(Number), alive: true }]);
  expect(sizes.cache).toBeGreaterThan(0);
});

test("the refs and the branch of a landed run are removed, its work stays on the branch it landed on", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await stage.workspace.anchor({ run: "r1", chain: "head", requireHeld: async () => undefined });
  await stage.workspace.land({ run: "r1", commit, date: DATE });
  const order = { runs: [{ run: "r1", commit }], dryRun: true };
  const before = await fingerprint(stage.repo);
  const planned = await stage.workspace.gc(order);
  expect(await fingerprint(stage.repo)).toEqual(before);
  const collected = await stage.workspace.gc({ ...order, dryRun: false });
  expect(collected).toEqual(planned);
  expect(collected.removed).toEqual(["refs/heads/signalbox/r1", expect.stringContaining("refs/signalbox/r1/t/")]);
  expect(refs(stage)).toEqual(["refs/heads/main", "refs/signalbox/r1/chain"]);
  expect(run(stage.repo, ["rev-parse", "main"])).toBe(commit);
  expect(await stage.workspace.gc({ ...order, dryRun: false })).toEqual({ removed: [], kept: [], bytes: 0 });
});

test("[A-14] the branch of an unmerged run stays, whatever is requested", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  const collected = await stage.workspace.gc({ runs: [{ run: "r1", commit, force: true }], dryRun: false });
  expect(collected.kept).toEqual([{ what: "refs/heads/signalbox/r1", because: expect.stringContaining("merged") }]);
  expect(refs(stage)).toEqual(["refs/heads/main", "refs/heads/signalbox/r1"]);
});

test("[A-14] a commit that is on no branch any more is pinned, and its snapshots stay without force", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  run(stage.repo, ["branch", "-q", "-D", "signalbox/r1"]);
  const kept = await stage.workspace.gc({ runs: [{ run: "r1", commit }], dryRun: false });
  expect(kept.removed).toEqual([]);
  expect(kept.kept).toEqual([{ what: expect.stringContaining("/t/"), because: expect.stringContaining("no branch") }]);
  await stage.workspace.gc({ runs: [{ run: "r1", commit, force: true }], dryRun: false });
  expect(refs(stage)).toEqual(["refs/heads/main", `refs/signalbox/r1/kept/${commit}`]);
  run(stage.repo, ["reflog", "expire", "--expire=now", "--all"]);
  run(stage.repo, ["gc", "-q", "--prune=now"]);
  expect(run(stage.repo, ["show", `${commit}:a.txt`])).toBe("two");
});

test("[A-14] the snapshots of a run that made no commit are its only copy and stay", async () => {
  const stage = await scene();
  const tree = await stage.workspace.render(stage.tree, [{ path: "x.txt", text: "x\n" }]);
  await stage.workspace.pin("r1", tree);
  const { kept } = await stage.workspace.gc({ runs: [{ run: "r1" }], dryRun: false });
  expect(kept).toEqual([{ what: `refs/signalbox/r1/t/${tree}`, because: expect.stringContaining("only copy") }]);
  expect(refs(stage)).toContain(`refs/signalbox/r1/t/${tree}`);
});

test("runs that were not named keep everything, also one whose name starts the same", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await createWork(stage, "r1-x", { "b.txt": "two\n" });
  await stage.workspace.land({ run: "r1", commit, date: DATE });
  await stage.workspace.gc({ runs: [{ run: "r1", commit }], dryRun: false });
  expect(refs(stage)).toEqual([
    "refs/heads/main",
    "refs/heads/signalbox/r1-x",
    expect.stringContaining("refs/signalbox/r1-x/t/"),
  ]);
});

test("a run's branch that is checked out stays", async () => {
  const stage = await scene();
  const commit = await createWork(stage, "r1", { "a.txt": "two\n" });
  await stage.workspace.land({ run: "r1", commit, date: DATE });
  run(stage.repo, ["worktree", "add", "-q", join(stage.root, "linked"), "signalbox/r1"]);
  const { kept } = await stage.workspace.gc({ runs: [{ run: "r1", commit }], dryRun: false });
  expect(kept).toEqual([{ what: "refs/heads/signalbox/r1", because: "it is checked out" }]);
});

test("the folder of a dead engine's attempt is removed with its run, but not while a process works in it", async () => {
  const stage = await scene();
  const runs = [{ run: "r1" }];
  const { dir } = await stage.workspace.open(stage.tree, "r1-0123456789abcdef");
  const alive = await stage.workspace.gc({ runs, dryRun: false });
  expect([alive.removed, existsSync(dir)]).toEqual([[], true]);

  const left = await leftByDeadEngine(stage, "r1-fedcba9876543210");
  const unnamed = await stage.workspace.gc({ runs: [], dryRun: false });
  expect(unnamed.kept).toEqual([{ what: left, because: "its run may be resumed" }]);

  const orphan = spawn("sleep", ["60"], { cwd: left });
  onTestFinished(() => void orphan.kill());
  await once(orphan, "spawn");
  const used = await stage.workspace.gc({ runs, dryRun: false });
  expect(used.kept).toEqual([{ what: left, because: "a process is still running in it" }]);
  orphan.kill();
  await once(orphan, "close");

  expect((await stage.workspace.gc({ runs, dryRun: false })).removed).toEqual([left]);
  expect([existsSync(left), existsSync(dir)]).toEqual([false, true]);
});

test("a leftover home is removed with its run", async () => {
  const stage = await scene();
  const homes = join(stage.cache, "homes");
  await fill(homes, { "r1-0123456789abcdef/tmp/a": "x", "r12-0123456789abcdef/tmp/a": "x" });
  expect((await stage.workspace.gc({ runs: [], dryRun: false })).removed).toEqual([]);
  const { removed } = await stage.workspace.gc({ runs: [{ run: "r1" }], dryRun: false });
  expect(removed).toEqual([join(homes, "r1-0123456789abcdef")]);
  expect(await readdir(homes)).toEqual(["r12-0123456789abcdef"]);
});

test("old scratch files of the engine are removed, fresh ones stay", async () => {
  const stage = await scene();
  const [own = ""] = await readdir(join(stage.cache, "git"));
  const scratch = join(stage.cache, "git", own, "scratch");
  await fill(scratch, { "old.index": "x", "fresh.index": "x" });
  await utimes(join(scratch, "old.index"), 1, 1);
  const { removed } = await stage.workspace.gc({ runs: [], dryRun: false });
  expect(removed).toEqual([join(scratch, "old.index")]);
  expect(await readdir(scratch)).toEqual(["fresh.index"]);
});

test("a name that is not a run's is refused", async () => {
  const { workspace } = await scene();
  for (const name of ["", "../heads", "a b", "-d"]) {
    const asked = workspace.gc({ runs: [{ run: name }], dryRun: false });
    if (name !== "-d") await expect(asked, name).rejects.toMatchObject({ code: "INPUT_INVALID" });
    else expect(await asked).toMatchObject({ removed: [] });
  }
});

function refs({ repo }: Scene): string[] {
  return run(repo, ["for-each-ref", "--format=%(refname)"]).split("\n");
}

async function leftByDeadEngine({ root, repo, tree }: Scene, name: string): Promise<string> {
  const program = `
    const { gitWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, "../workspace.ts"))});
    const places = ${JSON.stringify({ repo, cache: join(root, "cache") })};
    const { dir } = await (await gitWorkspace(places)).open(${JSON.stringify(tree)}, ${JSON.stringify(name)});
    console.log(dir);
    process.kill(process.pid, "SIGKILL");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  await once(child, "close");
  return out.trim();
}
