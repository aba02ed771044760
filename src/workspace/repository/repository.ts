import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { type GitOptions, getLine, runGit } from "./git.ts";
import type { GitAnswer } from "./git-process.ts";

/** The user's repository: its paths, and how git is called in it. */
export type Repository = {
  readonly top: string;
  /** The git directory of this checkout; a linked worktree has its own. */
  readonly gitDir: string;
  readonly objects: string;
  readonly objectFormat: string;
  /** The person's global ignore file, which affects what counts as untracked. */
  readonly excludesFile: string;
  /** The person's settings for line endings, which affect files of the checkout. */
  readonly lineEnds: Readonly<Record<string, string>>;
  ask(args: readonly string[], options?: Omit<GitOptions, "cwd">): Promise<GitAnswer>;
};

export async function findRepository(repo: string): Promise<Repository> {
  const [top = "", gitDir = "", objects = "", objectFormat = ""] = await findPaths(repo);
  const [excludesFile, lineEnds] = await Promise.all([readPersonalExcludes(repo), readPersonalLineEnds(repo)]);
  const found: Repository = {
    top: await realpath(top),
    gitDir,
    objects: await realpath(resolve(repo, objects)),
    objectFormat,
    excludesFile,
    lineEnds,
    // With both set, git neither searches parent folders nor refuses a repository of another user.
    ask: (args, options = {}) =>
      runGit(args, { ...options, cwd: top, env: { GIT_DIR: gitDir, GIT_WORK_TREE: top, ...options.env } }),
  };
  await requireCommit(found);
  return found;
}

async function findPaths(repo: string): Promise<string[]> {
  const args = ["--show-toplevel", "--absolute-git-dir", "--git-path", "objects", "--show-object-format"];
  const answer = existsSync(repo)
    ? await runGit(["rev-parse", ...args], { cwd: repo, env: createPersonalEnvironment(), answers: [128] })
    : { code: 128, out: Buffer.alloc(0), err: "no such directory", cut: false };
  if (answer.code === 0) return getLine(answer).split("\n");
  throw new SignalboxError(
    "NOT_A_REPOSITORY",
    `${repo} is not a git repository with a checkout: ${answer.err.trim()}`,
    "Change to the repository, or create one: git init && git add . && git commit",
  );
}

async function requireCommit(repository: Repository): Promise<void> {
  const answer = await repository.ask(["rev-parse", "--verify", "-q", "HEAD^{commit}"], { answers: [1, 128] });
  if (answer.code === 0) return;
  throw new SignalboxError(
    "REPOSITORY_EMPTY",
    `${repository.top} has no commit yet, so there is no tree to work on`,
    "Create the first commit: git add . && git commit -m 'Initial commit'",
  );
}

async function readPersonalExcludes(repo: string): Promise<string> {
  return (await readPersonalSetting(repo, "core.excludesFile", "path")) || join(getPersonalFolder(), "ignore");
}

async function readPersonalLineEnds(repo: string): Promise<Record<string, string>> {
  const names = ["core.autocrlf", "core.eol"];
  const [attributes, ...values] = await Promise.all([
    readPersonalSetting(repo, "core.attributesFile", "path"),
    ...names.map((name) => readPersonalSetting(repo, name)),
  ]);
  const set = names.flatMap((name, at) => (values[at] ? [[name, values[at]]] : []));
  return { ...Object.fromEntries(set), "core.attributesFile": attributes || join(getPersonalFolder(), "attributes") };
}

async function readPersonalSetting(repo: string, name: string, type?: "path"): Promise<string> {
  const asked = ["config", ...(type ? [`--type=${type}`] : []), "--get", name];
  return getLine(await runGit(asked, { cwd: repo, env: createPersonalEnvironment(), answers: [1] }));
}

function getPersonalFolder(): string {
  return join(process.env["XDG_CONFIG_HOME"] || join(process.env["HOME"] ?? "/", ".config"), "git");
}

/**
 * Used only to find the repository: respects the person's `safe.directory` and ignore file, and reading settings runs
 * no program.
 */
export function createPersonalEnvironment(): Record<string, string> {
  const home = process.env["HOME"];
  const xdg = process.env["XDG_CONFIG_HOME"];
  const global = process.env["GIT_CONFIG_GLOBAL"];
  const fallback = home ? join(home, ".gitconfig") : "/dev/null";
  return {
    GIT_CONFIG_GLOBAL: global ?? fallback,
    ...(home ? { HOME: home } : {}),
    ...(xdg ? { XDG_CONFIG_HOME: xdg } : {}),
  };
}
