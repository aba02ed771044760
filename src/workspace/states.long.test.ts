import { readFileSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { SignalboxError } from "../core/failure/errors.ts";
import { createWork, DATE, fill, fingerprint, run, type Scene, scene, temporary, tryRun } from "./scene.suite.ts";
import { gitWorkspace } from "./workspace.ts";

const PAGE = resolve(import.meta.dirname, "../../docs/reference/repository-states.md");

/** `works`, or the code of the refusal. */
type Row = { readonly state: string; readonly run: string; readonly land: string; readonly revert: string };

/** Brings the scene's repository into the state; the run that follows edits `a.txt` and adds `new.txt`. */
type Setting = {
  readonly state: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Before the run. */
  begin?(stage: Scene): Promise<Scene>;
  /** The person's actions there before the run; again before the revert, if they had to be undone to land manually. */
  spoil?(stage: Scene): Promise<void>;
};

const SETTINGS: readonly Setting[] = [
  { state: "clean" },
  { state: "dirty, other files", files: { "a.txt": "one\n", "b.txt": "b\n" }, spoil: dirtyElsewhere },
  { state: "dirty, the same files", spoil: ({ repo }) => fill(repo, { "a.txt": "mine\n" }) },
  { state: "detached", spoil: async ({ repo }) => void run(repo, ["checkout", "-q", "--detach"]) },
  { state: "empty", begin: emptied },
  { state: "shallow", begin: shallow },
  { state: "submodules", begin: withModule },
  { state: "linked worktree", begin: linked },
  { state: "bare", begin: bare },
  { state: "rebase in progress", files: { "a.txt": "one\n", "c.txt": "c\n" }, spoil: rebasing },
  { state: "LFS, other files", begin: (stage) => withFilter(stage, "*.bin") },
  { state: "LFS, a filtered file", begin: (stage) => withFilter(stage, "*.txt") },
  { state: "sparse", files: { "a.txt": "one\n", "in/x.txt": "x\n", "out/y.txt": "y\n" }, begin: sparse },
  { state: "case clash", files: { "a.txt": "one\n", "NEW.txt": "n\n" } },
  { state: "case clash, ignored by the file system", files: { "a.txt": "one\n", "NEW.txt": "n\n" }, begin: caseless },
];

describe("repository states", () => {
  const rows = rowsOf(readFileSync(PAGE, "utf8"));

  test("the table in docs/reference/repository-states.md has a row for each state, and no other", () => {
    expect(rows.map(({ state }) => state)).toEqual(SETTINGS.map(({ state }) => state));
  });

  for (const setting of SETTINGS) {
    const row = rows.find(({ state }) => state === setting.state);
    const title = `${setting.state}: run ${row?.run}, land ${row?.land}, revert ${row?.revert}`;
    test(title, async () => expect(await outcome(setting)).toEqual(row));
  }
});

/** Runs, lands and reverts in the state, and returns how each ended. A refusal changes nothing. */
async function outcome({ state, files, begin, spoil }: Setting): Promise<Row> {
  const first = await scene(files ?? { "a.txt": "one\n" });
  const stage = await attempted(() => begin?.(first) ?? Promise.resolve(first));
  if (typeof stage === "string") return { state, run: stage, land: stage, revert: stage };
  await spoil?.(stage);
  const commit = await attempted(() => createWork(stage, "r1", { "a.txt": "two\n", "new.txt": "n\n" }));
  const landing = await tried(stage, () => stage.workspace.land({ run: "r1", commit, date: DATE }));
  if (landing !== "works") {
    await landByHand(stage, commit);
    await spoil?.(stage);
  }
  const reverting = await tried(stage, () => stage.workspace.revert({ run: "r1", commits: [commit], date: DATE }));
  return { state, run: /^[0-9a-f]{40}$/.test(commit) ? "works" : commit, land: landing, revert: reverting };
}

async function tried(stage: Scene, act: () => Promise<{ readonly status: string }>): Promise<string> {
  const before = await fingerprint(stage.repo, isGitsOwn);
  const ended = await attempted(act);
  if (typeof ended !== "string") {
    expect(ended).toMatchObject({ status: expect.stringMatching(/^(landed|reverted)$/), checkout: { updated: true } });
    return "works";
  }
  expect(await fingerprint(stage.repo, isGitsOwn)).toEqual(before);
  return ended;
}

/** The answer, or the code of the refusal. */
async function attempted<T>(act: () => Promise<T>): Promise<T | string> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof SignalboxError) return error.code;
    throw error;
  }
}

/** Follows the hint: clean up, switch to the branch, merge. */
async function landByHand({ repo }: Scene, commit: string): Promise<void> {
  tryRun(repo, ["rebase", "--abort"]);
  run(repo, ["checkout", "-q", "-f", "main"]);
  run(repo, ["config", "core.ignoreCase", "false"]);
  run(repo, ["merge", "-q", "--ff-only", commit]);
  run(repo, ["config", "core.ignoreCase", String(tryRun(repo, ["config", "test.caseless"]).code === 0)]);
}

function isGitsOwn(path: string): boolean {
  return path === ".git" || path.startsWith(".git/objects") || path.startsWith(".git/rr-cache");
}

async function dirtyElsewhere({ repo }: Scene): Promise<void> {
  await fill(repo, { "b.txt": "mine\n", "untracked.txt": "mine\n" });
  run(repo, ["add", "b.txt"]);
  await fill(repo, { "b.txt": "mine, edited again\n" });
}

async function emptied(stage: Scene): Promise<Scene> {
  const repo = join(stage.root, "empty");
  run(stage.root, ["init", "-q", "empty"]);
  return on(stage, repo);
}

async function shallow(stage: Scene): Promise<Scene> {
  await fill(stage.repo, { "a.txt": "older\n" });
  run(stage.repo, ["commit", "-qam", "Second"]);
  const repo = join(stage.root, "shallow");
  run(stage.root, ["clone", "-q", "--depth=1", `file://${stage.repo}`, "shallow"]);
  expect(run(repo, ["rev-list", "--count", "HEAD"])).toBe("1");
  return on(stage, repo);
}

async function withModule(stage: Scene): Promise<Scene> {
  run(stage.root, ["init", "-q", "inner"]);
  const inner = join(stage.root, "inner");
  run(inner, ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "Inner"]);
  run(stage.repo, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "module"]);
  run(stage.repo, ["commit", "-qm", "With a module"]);
  return stage;
}

async function linked(stage: Scene): Promise<Scene> {
  const repo = join(stage.root, "linked");
  run(stage.repo, ["worktree", "add", "-q", "-b", "side", repo]);
  return on(stage, repo);
}

async function bare(stage: Scene): Promise<Scene> {
  run(stage.root, ["clone", "-q", "--bare", stage.repo, "bare"]);
  return on(stage, join(stage.root, "bare"));
}

/** Stopped at a conflict in a file that the run does not touch. */
async function rebasing({ repo }: Scene): Promise<void> {
  const branch = `topic-${run(repo, ["rev-parse", "--short", "HEAD"])}`;
  run(repo, ["checkout", "-q", "-b", branch]);
  await fill(repo, { "c.txt": `${branch}\n` });
  run(repo, ["commit", "-qam", "Topic"]);
  run(repo, ["checkout", "-q", "-b", `${branch}-other`, "HEAD~1"]);
  await fill(repo, { "c.txt": `other than ${branch}\n` });
  run(repo, ["commit", "-qam", "Other"]);
  expect(tryRun(repo, ["rebase", branch]).code).not.toBe(0);
}

/** A filter like that of LFS: pointers in the tree, contents on disk. */
async function withFilter(stage: Scene, pattern: string): Promise<Scene> {
  await fill(stage.root, {
    "smudge.sh": "#!/bin/sh\nsed 's/^/large: /'\n",
    "clean.sh": "#!/bin/sh\nsed 's/^large: //'\n",
  });
  for (const name of ["smudge", "clean"]) {
    await chmod(join(stage.root, `${name}.sh`), 0o755);
    run(stage.repo, ["config", `filter.lfs.${name}`, join(stage.root, `${name}.sh`)]);
  }
  run(stage.repo, ["config", "filter.lfs.required", "true"]);
  await fill(stage.repo, {
    ".gitattributes": `${pattern} filter=lfs diff=lfs merge=lfs -text\n`,
    "x.bin": "large: x\n",
  });
  run(stage.repo, ["add", "--all"]);
  run(stage.repo, ["commit", "-qm", "With large files"]);
  await rm(join(stage.repo, "a.txt"));
  run(stage.repo, ["checkout", "-q", "--", "a.txt"]);
  return stage;
}

/** The run's files are inside and outside of the sparse checkout. */
async function sparse(stage: Scene): Promise<Scene> {
  run(stage.repo, ["sparse-checkout", "set", "--no-cone", "/in/", "/new.txt"]);
  expect(await stage.workspace.file("a.txt")).toBeNull();
  return stage;
}

/** The settings that git writes when a repository is created on a case-insensitive file system. */
async function caseless(stage: Scene): Promise<Scene> {
  run(stage.repo, ["config", "core.ignoreCase", "true"]);
  run(stage.repo, ["config", "test.caseless", "yes"]);
  return stage;
}

async function on(stage: Scene, repo: string): Promise<Scene> {
  const cache = join(await temporary(), "cache");
  await mkdir(cache);
  const workspace = await gitWorkspace({ repo, cache });
  const { tree, commit } = await workspace.head();
  return { ...stage, repo, cache, workspace, tree, commit };
}

/** The table's own cells: the state, then one per operation, whose first word counts. */
function rowsOf(page: string): Row[] {
  const lines = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| state"));
  return lines.map((line) => {
    const [state = "", ...cells] = line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1);
    const [does = "", land = "", revert = ""] = cells.map((cell) => cell.replaceAll("`", "").split(/[ ,:;]/)[0] ?? "");
    return { state, run: does, land, revert };
  });
}
