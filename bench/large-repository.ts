import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createRealWorld } from "../src/cli/real-world.ts";
import type { OpenOptions, WorkFolder, Workspace } from "../src/core/ports/workspace.ts";
import { copyCachedSetup, storeSetup } from "../src/engine/execute/setup/cached-setup.ts";
import { gitWorkspace } from "../src/workspace/workspace.ts";
import { atMost, type Figure, median, shown } from "./figure.ts";

// Measures a dispatch in a large repository, next to `git worktree add` in the same run. To run it alone:
//   node bench/large-repository.ts --dir FOLDER [--repository A-CLONE]     (by default 40,000 files are created)

const FILES = 40_000;
const ROUNDS = 4;
/** Dispatches of `clusters` in their order: single, or four at once. */
const WAVES = [1, 4, 1, 1, 4, 1, 1, 4, 4, 1, 4, 4];
const CONFINED: OpenOptions = { confined: { files: true } };

export async function largeRepositoryFigures(dir: string, repository?: string): Promise<Figure[]> {
  const repo = repository ?? createLargeRepository(join(dir, "repo"));
  const { tree, ...workspace } = await openWorkspaceOn(repo, join(dir, "cache"));
  const add = () => addWorktree(repo, join(dir, "worktree"));
  const first = await measureTime(() => workspace.open(tree, "first", CONFINED));
  await first.value.close();
  await workspace.settled();
  const writers = await measureWriting(workspace, tree, add);
  const readers = await measureReading(workspace, tree);
  const last = { ...(await openWorkspaceOn(repo, join(dir, "another-cache"))), tree };
  const documents = await runWaves(last, tree, { open: openDocumentFolder, add });
  const setup = await measureSetup(workspace, tree, dir);
  const code = await runWaves(workspace, tree, { open: openWholeFolder });
  const added = [...writers.added, ...documents.added];
  const share = (spent: readonly number[]) => (100 * median(spent)) / median(added);
  const checkouts = ({ ms }: Waves) =>
    `${shown(ms / median(added))} checkouts at their median, ${shown(ms / Math.min(...added))} at their best`;
  const beside = `\`git worktree add\` in turn with all this: ${added.map(shown).join(", ")} ms, ${countFiles(repo)} files`;
  return [
    { name: "large repository: the very first folder", reached: `${shown(first.ms)} ms (${beside})` },
    atMost({
      name: "large repository: opening for a writer, from the second on, p50",
      value: share(writers.spent),
      target: 20,
      unit: "%",
      from: `${writers.spent.map(shown).join(", ")} ms right after the previous one left; the best of both ${shown((100 * Math.min(...writers.spent)) / Math.min(...added))} %`,
    }),
    atMost({
      name: "large repository: opening for a reader, from the second on, p50",
      value: share(readers),
      target: 5,
      unit: "%",
      from: `${readers.map(shown).join(", ")} ms`,
    }),
    ...setup,
    {
      name: `large repository: opening for ${documents.dispatches} dispatches that write documents, up to four at once, with an empty cache`,
      target: "≤ 2 checkouts",
      reached: checkouts(documents),
      met: documents.ms / median(added) <= 2,
    },
    {
      name: `large repository: opening for ${code.dispatches} dispatches that write code, up to four at once`,
      reached: checkouts(code),
    },
  ];
}

const MADE = ["node_modules"];
const HERE = fileURLToPath(new URL("..", import.meta.url));

/**
 * Measures this project's own `node_modules`: what every dispatch and check paid, and what they pay from the second
 * on.
 */
async function measureSetup(workspace: Workspace, tree: string, dir: string): Promise<Figure[]> {
  const at = { cache: join(dir, "cache"), key: "bench", runs: dir, world: createRealWorld({}) };
  await storeSetup({ ...at, dir: HERE }, MADE);
  const plain = await workspace.open(tree, "plain", CONFINED);
  const copied = await measureTime(() => copyCachedSetup({ ...at, dir: plain.dir }));
  await plain.close();
  const name = "large repository: this project's node_modules beside a tree, per dispatch and per check";
  if (copied.value.as !== "ready") return [{ name, reached: "not measured: somebody wrote there meanwhile" }];
  const spent: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const folder = await workspace.open(tree, `set-up-${n}`, CONFINED);
    spent.push((await measureTime(() => copyCachedSetup({ ...at, dir: folder.dir, folder }))).ms);
    mkdirSync(join(folder.dir, "node_modules", ".left-by-an-agent"));
    await folder.close();
    await workspace.settled();
  }
  const after = spent.slice(1).map(shown).join(", ");
  const reached = `${shown(copied.ms)} ms as a copy, ${after} ms taken over from the one before`;
  return [{ name, reached }];
}

async function openWorkspaceOn(repo: string, cache: string): Promise<Workspace & { readonly tree: string }> {
  const workspace = await gitWorkspace({ repo, cache });
  return { ...workspace, tree: (await workspace.head()).tree };
}

type OpeningTimes = { readonly spent: readonly number[]; readonly added: readonly number[] };

/** Measures writing dispatches. Each leaves an agent's files, and its tree is the base of the next. */
async function measureWriting(workspace: Workspace, tree: string, add: () => number): Promise<OpeningTimes> {
  const spent: number[] = [];
  const added: number[] = [];
  let now = tree;
  for (let n = 0; n < ROUNDS; n += 1) {
    const { value: folder, ms } = await measureTime(() =>
      workspace.open(now, `writer-${n}`, { ...CONFINED, base: tree }),
    );
    now = await addAgentFiles(workspace, { folder, tree: now, n });
    added.push(add());
    await folder.close();
    spent.push(ms);
  }
  await workspace.settled();
  // Nobody left a folder before the first one.
  return { spent: spent.slice(1), added };
}

type Work = { readonly folder: WorkFolder; readonly tree: string; readonly n: number };

async function addAgentFiles(workspace: Workspace, { folder, tree, n }: Work): Promise<string> {
  mkdirSync(join(folder.dir, "notes"), { recursive: true });
  writeFileSync(join(folder.dir, "notes", `${n}.md`), `${n}\n`);
  if (!folder.part) {
    mkdirSync(join(folder.dir, ".cache-of-an-agent"), { recursive: true });
    writeFileSync(join(folder.dir, ".cache-of-an-agent", "x"), "left");
  }
  return (await workspace.snapshot(folder.dir, { opened: tree, onto: tree, writes: ["notes/**"] })).tree;
}

async function measureReading(workspace: Workspace, tree: string): Promise<number[]> {
  const share = { run: "r1", key: "k1" };
  const spent: number[] = [];
  for (let n = 0; n <= ROUNDS; n += 1) {
    const { value: folder, ms } = await measureTime(() => workspace.open(tree, `reader-${n}`, { ...CONFINED, share }));
    await folder.close();
    if (n > 0) spent.push(ms);
  }
  await workspace.abandon("r1");
  return spent;
}

type Waves = { readonly ms: number; readonly dispatches: number; readonly added: readonly number[] };
type Opening = (tree: string) => OpenOptions;

const openWholeFolder: Opening = () => CONFINED;
const openDocumentFolder: Opening = (tree) => ({ ...CONFINED, share: { run: "r2", key: tree, own: ["notes"] } });

/** Runs all waves one after the other, each on the tree of the one before. */
async function runWaves(
  workspace: Workspace,
  tree: string,
  { open, add }: { readonly open: Opening; readonly add?: () => number },
): Promise<Waves> {
  let ms = 0;
  let n = 100;
  let now = tree;
  const added: number[] = [];
  for (const [at, wave] of WAVES.entries()) {
    const opened = await measureTime(() =>
      Promise.all(Array.from({ length: wave }, () => workspace.open(now, `wave-${n++}`, open(now)))),
    );
    ms += opened.ms;
    const trees: string[] = [];
    for (const folder of opened.value)
      trees.push(await addAgentFiles(workspace, { folder, tree: now, n: n + trees.length }));
    if (add && at % 4 === 0) added.push(add());
    await Promise.all(opened.value.map((folder) => folder.close()));
    now = trees[0] ?? now;
  }
  await workspace.settled();
  return { ms, dispatches: n - 100, added };
}

async function measureTime<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

function addWorktree(repo: string, at: string): number {
  const start = performance.now();
  execFileSync("git", ["worktree", "add", "-q", "--detach", at, "HEAD"], { cwd: repo });
  const ms = performance.now() - start;
  rmSync(at, { recursive: true, force: true });
  execFileSync("git", ["worktree", "prune"], { cwd: repo });
  return ms;
}

function countFiles(repo: string): string {
  const out = execFileSync("git", ["ls-tree", "-r", "--name-only", "HEAD"], { cwd: repo, maxBuffer: 1 << 28 });
  return out.toString().trimEnd().split("\n").length.toLocaleString("en");
}

/** Creates the repository as one pack, without writing the files: 25 per folder, four kilobytes on average. */
function createLargeRepository(repo: string): string {
  mkdirSync(repo, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: repo });
  const parts = ["commit refs/heads/main\ncommitter A <a@localhost> 0 +0000\ndata 5\nbegin\n"];
  for (let n = 0; n < FILES; n += 1) {
    const text = `${n} `.repeat(1 + ((n * 7919) % 1400));
    const path = `p${n % 40}/m${Math.floor(n / 40) % 40}/f${n}.ts`;
    parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  spawnSync("git", ["fast-import", "--quiet"], { cwd: repo, input: `${parts.join("")}done\n` });
  return repo;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { dir: { type: "string" }, repository: { type: "string" } } });
  if (values.dir === undefined) throw new Error("--dir is required: a folder with some gigabytes of free space");
  for (const { name, target = "for information", reached } of await largeRepositoryFigures(
    values.dir,
    values.repository,
  ))
    console.log(`${name}\n    ${reached}   ${target}`);
}
