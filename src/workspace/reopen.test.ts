import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fill, type Scene, scene } from "./scene.suite.ts";

const NAME = "r1-0123456789abcdef";
const NEXT = "r1-fedcba9876543210";

test("a folder that was left is opened again unchanged, and its snapshot is taken against the first tree", async () => {
  const { workspace, tree } = await scene({ "a.txt": "a\n" });
  const { dir, leave } = await workspace.open(tree, NAME);
  await fill(dir, { "half.txt": "half\n" });
  await leave();
  const again = await workspace.reopen(dir, NEXT);
  expect(again?.dir).toBe(dir);
  expect((await workspace.snapshot(dir, { opened: tree, onto: tree })).changed).toEqual(["half.txt"]);
  await again?.close();
  expect(existsSync(dir)).toBe(false);
  expect(await workspace.reopen(dir, NEXT)).toBeUndefined();
});

test("a folder of another process is opened again only after that process is gone", async () => {
  const stage = await scene();
  const { child, dir } = await openedElsewhere(stage);
  expect(await stage.workspace.reopen(dir, NEXT)).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "close");
  expect((await stage.workspace.reopen(dir, NEXT))?.dir).toBe(dir);
});

test("a folder that is taken over from a live owner gets a name that the owner does not know", async () => {
  const stage = await scene();
  const { dir } = await openedElsewhere(stage);
  await fill(dir, { "half.txt": "half\n" });
  const told: string[] = [];
  const announce = async (place: string) => {
    expect(existsSync(dir)).toBe(true);
    told.push(place);
  };
  const taken = await stage.workspace.seize({ dir, name: NEXT, announce });
  expect(told).toEqual([taken?.dir]);
  expect(existsSync(dir)).toBe(false);
  const options = { opened: stage.tree, onto: stage.tree };
  expect((await stage.workspace.snapshot(told[0] ?? "", options)).changed).toEqual(["half.txt"]);
  expect(await stage.workspace.seize({ dir, name: NEXT, announce: async () => {} })).toBeUndefined();
  await stage.workspace.abandon("r1");
  expect(existsSync(told[0] ?? "")).toBe(false);
});

test("a shared folder stays where it is, and its first owner can neither remove nor leave it", async () => {
  const stage = await scene();
  const { dir, close, leave } = await stage.workspace.open(stage.tree, NAME);
  const { dir: theirs } = await openedElsewhere(stage);
  expect((await stage.workspace.share(theirs, NEXT))?.dir).toBe(theirs);
  await fill(dir, { "half.txt": "half\n" });
  await sharedElsewhere(stage, dir);
  await leave();
  await close();
  expect(existsSync(join(dir, "half.txt"))).toBe(true);
  expect(await stage.workspace.share(join(dir, "nowhere"), NEXT)).toBeUndefined();
});

test("a folder that was not opened here is never taken over", async () => {
  const { workspace, repo } = await scene();
  expect(await workspace.seize({ dir: repo, name: NEXT, announce: async () => {} })).toBeUndefined();
  expect(existsSync(repo)).toBe(true);
});

test("a snapshot whose index is gone is taken without it, not against an empty one", async () => {
  const { workspace, cache, tree } = await scene({ "a.txt": "a\n" });
  const { dir } = await workspace.open(tree, NAME);
  await fill(dir, { "a.txt": "b\n" });
  const [own = ""] = readdirSync(join(cache, "git"));
  const scratch = join(cache, "git", own, "scratch");
  for (const name of readdirSync(scratch)) if (name.endsWith(".index")) rmSync(join(scratch, name));
  expect((await workspace.snapshot(dir, { opened: tree, onto: tree })).changed).toEqual(["a.txt"]);
});

test("an unknown folder cannot be opened again", async () => {
  const { workspace, repo } = await scene();
  expect(await workspace.reopen(repo, NEXT)).toBeUndefined();
});

test("abandoning a run removes its folders, but not those of a run whose name starts the same", async () => {
  const { workspace, tree } = await scene();
  const own = await workspace.open(tree, NAME);
  const left = await workspace.open(tree, NEXT);
  await left.leave();
  const other = await workspace.open(tree, `r1-x-${NAME.slice(3)}`);
  await workspace.abandon("r1");
  expect([own.dir, left.dir, other.dir].map((dir) => existsSync(dir))).toEqual([false, false, true]);
});

test("a folder that was left stays while its run may be resumed, and is removed with it", async () => {
  const { workspace, tree } = await scene();
  const { dir, leave } = await workspace.open(tree, NAME);
  await leave();
  const kept = [{ what: dir, because: "its run may be resumed" }];
  expect(await workspace.gc({ runs: [], dryRun: false })).toMatchObject({ removed: [], kept });
  expect(await workspace.gc({ runs: [{ run: "r1" }], dryRun: false })).toMatchObject({ removed: [dir] });
});

const openedElsewhere = (stage: Scene) => elsewhere(stage, `open(${JSON.stringify(stage.tree)}, "${NAME}")`);
const sharedElsewhere = (stage: Scene, dir: string) => elsewhere(stage, `share(${JSON.stringify(dir)}, "${NEXT}")`);

/** Owned by a process that still exists. */
async function elsewhere({ root, repo }: Scene, call: string): Promise<{ child: ChildProcess; dir: string }> {
  const program = `
    const { gitWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, "workspace.ts"))});
    const places = ${JSON.stringify({ repo, cache: join(root, "cache") })};
    const { dir } = await (await gitWorkspace(places)).${call};
    console.log(dir);
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return { child, dir: chunk.toString("utf8").trim() };
}
