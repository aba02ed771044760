import { matchesAny } from "../../guard/glob.ts";
import { subtractLines } from "../../tamper/line-tally.ts";
import type { TextChange } from "../../tamper/text-change.ts";

/**
 * Finds new lines of `.gitignore` that match tests of the repository. Git still tracks those, but a test that is added
 * later at such a place never becomes part of a commit.
 */
export function findIgnoredTests(change: TextChange, tests: readonly string[]): readonly string[] {
  const folder = change.path.slice(0, change.path.lastIndexOf("/") + 1);
  const lines = subtractLines((change.after ?? "").split("\n"), (change.before ?? "").split("\n"));
  const patterns = lines.map((line) => line.trim()).filter((line) => line !== "" && !/^[#!]/.test(line));
  const covering = patterns.filter((pattern) => tests.some((path) => isIgnored(path, folder, pattern)));
  return covering.length === 0
    ? []
    : [`${change.path} ignores tests of the repository: ${covering.slice(0, SHOWN).join(", ")}.`];
}

const SHOWN = 5;

function isIgnored(path: string, folder: string, pattern: string): boolean {
  if (!path.startsWith(folder)) return false;
  const rest = path.slice(folder.length);
  const plain = pattern.replace(/^\/|\/$/g, "");
  // A slash before the end anchors the pattern to the folder of its file.
  const anchored = pattern.replace(/\/$/, "").includes("/");
  const globs = anchored ? [plain, `${plain}/**`] : [plain, `**/${plain}`, `${plain}/**`, `**/${plain}/**`];
  return matchesAny(rest, pattern.endsWith("/") ? globs.filter((glob) => glob.endsWith("/**")) : globs);
}
