import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Ignores the machine's own settings: git works the same everywhere. */
export const GIT_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "Ada"],
      [`GIT_${who}_EMAIL`, "ada@example.org"],
    ]),
  ),
};

export type Repository = {
  readonly dir: string;
  readonly repo: string;
  git(...args: string[]): string;
  remove(): void;
};

/** Creates a folder with a repository of one commit. */
export function repositoryWith(files: Readonly<Record<string, string>>): Repository {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-ledger-"));
  const repo = join(dir, "repo");
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: repo, env: GIT_ENVIRONMENT, encoding: "utf8" }).trim();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  git("init", "-q", "-b", "main");
  git("add", "--all");
  git("commit", "-qm", "begin");
  return { dir, repo, git, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Runs the command in a copy of the repository, as a person would type it, and returns the resulting tree. */
export function treeAfter(command: string, from: { readonly repo: string; readonly branch: string }): string {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-copy-"));
  const copy = join(dir, "copy");
  const run = (file: string, args: string[], cwd: string): string =>
    execFileSync(file, args, { cwd, env: GIT_ENVIRONMENT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  try {
    run("git", ["clone", "-q", "--branch", from.branch, from.repo, copy], dir);
    run("sh", ["-c", command], copy);
    return run("git", ["rev-parse", "HEAD^{tree}"], copy);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
