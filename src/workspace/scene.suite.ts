import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Workspace } from "../core/ports/workspace.ts";
import { gitWorkspace } from "./workspace.ts";

export type Scene = {
  readonly root: string;
  readonly repo: string;
  readonly cache: string;
  readonly workspace: Workspace;
  /** The tree of the first commit. */
  readonly tree: string;
  readonly commit: string;
};

/** A real repository with these files committed and a workspace on it; both are removed after the test. */
export async function scene(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): Promise<Scene> {
  const root = await temporary();
  const repo = join(root, "repo");
  await mkdir(repo);
  run(repo, ["init", "-q", "-b", "main"]);
  run(repo, ["config", "user.name", "Ada"]);
  run(repo, ["config", "user.email", "ada@example.org"]);
  await fill(repo, files);
  run(repo, ["add", "--all"]);
  run(repo, ["commit", "-q", "--allow-empty", "-m", "First"]);
  const cache = join(root, "cache");
  const workspace = await gitWorkspace({ repo, cache });
  const { tree, commit } = await workspace.head();
  return { root, repo, cache, workspace, tree, commit };
}

export async function temporary(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "workspace-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

export async function fill(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

/** Runs git as a person or an agent would, without our settings. */
export function tryRun(cwd: string, args: readonly string[]): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, env, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

/** The asynchronous variant, for concurrent tests. */
export function tryRunAsync(cwd: string, args: readonly string[]): Promise<{ code: number; out: string }> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  return new Promise((done) => {
    execFile("git", [...args], { cwd, env }, (error, out) => done({ code: error ? 1 : 0, out }));
  });
}

export function run(cwd: string, args: readonly string[]): string {
  const { code, out, err } = tryRun(cwd, args);
  if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${err}`);
  return out.trimEnd();
}

/**
 * Maps every file, folder and link to its mode, time and content: equal maps mean byte-identical folders. Excludes
 * times of objects, which git updates when the same object is written again.
 */
export async function fingerprint(dir: string, skip: (path: string) => boolean = () => false) {
  const paths = ["", ...(await readdir(dir, { recursive: true }))].filter((path) => !skip(path));
  const prints = await Promise.all(paths.map((path) => readFingerprint(dir, path)));
  return new Map(paths.map((path, at) => [path, prints[at]]));
}

async function readFingerprint(dir: string, path: string): Promise<string> {
  const found = await lstat(join(dir, path));
  const content = found.isFile() ? await readFile(join(dir, path)) : Buffer.alloc(0);
  const link = found.isSymbolicLink() ? await readlink(join(dir, path)) : "";
  const time = path.startsWith(".git/objects") ? "" : found.mtimeMs;
  return `${found.mode} ${time} ${link} ${createHash("sha256").update(content).digest("hex")}`;
}

export const DATE = Date.UTC(2026, 10, 15, 12, 0, 0);

type Edits = Readonly<Record<string, string | null>>;

/** A run that edits files and commits to its own branch, on top of its earlier commits; null deletes a file. */
export async function createWork({ repo, workspace }: Scene, name: string, edits: Edits): Promise<string> {
  const own = tryRun(repo, ["rev-parse", "-q", "--verify", `refs/heads/signalbox/${name}`]).out.trim();
  const parent = own || (await workspace.head()).commit;
  const tree = run(repo, ["rev-parse", `${parent}^{tree}`]);
  const { dir, close } = await workspace.open(tree, name);
  for (const [path, text] of Object.entries(edits)) {
    await rm(join(dir, path), { recursive: true, force: true });
    if (text !== null) await fill(dir, { [path]: text });
  }
  const taken = await workspace.snapshot(dir, { opened: tree, onto: tree });
  await close();
  await workspace.pin(name, taken.tree);
  const order = { run: name, tree: taken.tree, message: `Work of ${name}`, branch: `signalbox/${name}` };
  return (await workspace.commit({ ...order, parent, date: DATE })).commit;
}
