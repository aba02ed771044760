import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILES = 20;

/** Creates a real repository with a few small files in one commit: git's own costs, independent of size. */
export function smallRepository(dir: string): string {
  const repo = join(dir, "repo");
  mkdirSync(repo);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repo });
  git("init", "-q", "-b", "main");
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(repo, `file-${n}.txt`), `${n}\n`.repeat(50));
  git("add", "--all");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "begin");
  return repo;
}
