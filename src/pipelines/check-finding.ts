import type { Finding } from "../core/authoring/finding.ts";
import type { Check } from "../core/authoring/verbs.ts";
import { complaintOf } from "./evidence-line.ts";

/** One check that speaks against a tree, for whoever mends it: why, the tests that show it, and what was printed. */
export function findingOf(check: Check, by: string): Finding {
  return { severity: "major", by, ...complaintOf(check) };
}

/** As much of a change as a prompt has room for; all of it is in the repository of whoever reads it. */
export function diffFor(diff: string): string {
  if (diff.length <= MOST_OF_DIFF) return diff;
  return `${diff.slice(0, diff.lastIndexOf("\n", MOST_OF_DIFF))}\n[cut: the rest is in \`git diff base\`]\n`;
}

const MOST_OF_DIFF = 40_000;
