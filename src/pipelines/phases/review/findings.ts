import type { Finding } from "../../../core/authoring/finding.ts";
import type { Judgement } from "../../../core/authoring/rule.ts";
import type { CodeVerdict } from "../contracts.ts";

export const createMajor = (message: string): Finding => ({ severity: "major", message });

/** Passes without problems; otherwise each problem is a finding. */
export const judgeProblems = (problems: readonly string[]): Judgement => ({
  passed: problems.length === 0,
  findings: problems.map(createMajor),
});

export const createAdvice = (remarks: readonly string[]): Judgement => ({
  passed: true,
  findings: remarks.map((message): Finding => ({ severity: "minor", message })),
});

export function toIssueFinding(issue: { severity: string; description: string; file?: string | undefined }): Finding {
  const severity = issue.severity === "CRITICAL" ? "critical" : issue.severity === "MINOR" ? "minor" : "major";
  return { severity, message: issue.description, ...(issue.file && { files: [issue.file] }) };
}

/** Issues that do not block, as minor findings. */
export const listAdvisory = ({
  issues,
  validated_blocking_issues,
}: Pick<CodeVerdict, "issues" | "validated_blocking_issues">) =>
  issues
    .filter(({ description }) => !validated_blocking_issues.some((issue) => issue.description === description))
    .map((issue): Finding => ({ ...toIssueFinding(issue), severity: "minor" }));
