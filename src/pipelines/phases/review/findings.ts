import type { Finding } from "../../core/finding.ts";
import type { Judgement } from "../../core/rule.ts";

export const major = (message: string): Finding => ({ severity: "major", message });

/** Passed without problems; otherwise each of them is a finding. */
export const judged = (problems: readonly string[]): Judgement => ({
  passed: problems.length === 0,
  findings: problems.map(major),
});

export function asFinding(issue: { severity: string; description: string; file?: string | undefined }): Finding {
  const severity = issue.severity === "CRITICAL" ? "critical" : issue.severity === "MINOR" ? "minor" : "major";
  return { severity, message: issue.description, ...(issue.file && { files: [issue.file] }) };
}
