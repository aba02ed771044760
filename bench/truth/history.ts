import { classifyPath } from "../../src/core/checks/exam/exam-path.ts";
import { matchesAny } from "../../src/core/checks/guard/glob.ts";
import { detectSource } from "./author.ts";
import type { Repository } from "./corpus.ts";
import { git } from "./git.ts";
import { type Class, classifySubject } from "./subject.ts";

export type Commit = {
  readonly hash: string;
  readonly parent: string;
  readonly subject: string;
  readonly kind: Class;
  /** The author, as far as the commit names it. */
  readonly source: "people" | "agents";
  readonly code: readonly string[];
  readonly tests: readonly string[];
};

/** Lists commits that change both code and tests, newest first, without merges. */
export function listCommits({ dir, paths }: Repository): readonly Commit[] {
  const log = git(dir, "log", "--no-merges", "--name-only", `--format=%x01%H%x00%P%x00%an <%ae>%x00%s%x00%b%x02`);
  return log
    .split("\u0001")
    .slice(1)
    .flatMap((entry) => parseCommit(entry))
    .filter(({ code, tests }) => code.length > 0 && tests.length > 0)
    .filter(({ code }) => !paths || code.some((path) => matchesAny(path, paths)));
}

function parseCommit(entry: string): readonly Commit[] {
  const [head = "", files = ""] = entry.split("\u0002");
  const [hash = "", parent = "", author = "", subject = "", body = ""] = head.split("\0");
  if (!/^[0-9a-f]{40}$/.test(parent)) return [];
  const sources = files.split("\n").filter((path) => SOURCE.test(path) && !BUILT.test(path));
  const isTest = (path: string) => classifyPath(path) === "exam" || classifyPath(path) === "likely";
  const tests = sources.filter(isTest);
  const code = sources.filter((path) => classifyPath(path) === "code");
  const source = detectSource(author, body);
  return [{ hash, parent, subject, kind: classifySubject(subject), source, code, tests }];
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py)$/;
const BUILT = /(?:^|\/)(?:dist|build|vendor|docs?|examples?|bench(?:mark)?s?)\/|\.d\.ts$|\.config\.\w+$/;
