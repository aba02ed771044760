import type { Finding } from "../core/authoring/finding.ts";
import type { Check } from "../core/authoring/verbs.ts";
import { describeFailedCheck } from "./evidence-line.ts";

/** Converts a failed check into a finding: the reason, the failing tests and their output. */
export function createCheckFinding(check: Check, by: string): Finding {
  return { severity: "major", by, ...describeFailedCheck(check) };
}

/** Cuts a diff to the size that fits into a prompt. The agent can read the rest in its own repository. */
export function cutDiff(diff: string): string {
  if (diff.length <= MOST_OF_DIFF) return diff;
  return `${diff.slice(0, diff.lastIndexOf("\n", MOST_OF_DIFF))}\n[cut: the rest is in \`git diff base\`]\n`;
}

const MOST_OF_DIFF = 40_000;
