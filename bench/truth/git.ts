import { execFileSync } from "node:child_process";

const MOST = 256 * 1024 * 1024;

export function git(dir: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: dir,
    encoding: "utf8",
    maxBuffer: MOST,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Empty where there is no such file. */
export function readTextAt(dir: string, commit: string, path: string): string {
  try {
    return git(dir, "show", `${commit}:${path}`);
  } catch {
    return "";
  }
}

/** Numbers, from 0, of the lines of a file that are new in the commit. */
export function findAddedLines(
  dir: string,
  { parent, hash }: { parent: string; hash: string },
  path: string,
): Set<number> {
  const lines = new Set<number>();
  for (const hunk of git(dir, "diff", "-U0", parent, hash, "--", path).matchAll(/^@@ .*\+(\d+)(?:,(\d+))? @@/gm)) {
    const [from, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)];
    for (let at = 0; at < count; at += 1) lines.add(from - 1 + at);
  }
  return lines;
}
