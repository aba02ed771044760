import type { CommitOptions } from "../../../core/authoring/verbs.ts";
import type { ExamFindings } from "./cross-examine-change.ts";

export type DeclaredWork = Pick<CommitOptions, "declared" | "assumed">;

/**
 * Findings about a declared fix or feature without a test that is red without it.
 * @rule A-27 (gate) The new tests run on the old code: work declared as a fix or a feature shows a test that is red
 *   there. A loosened test is a finding.
 */
export function listDeclaredFindings(
  { red, verdict }: ExamFindings,
  { declared, assumed }: DeclaredWork,
): readonly string[] {
  if (declared === undefined || red > 0 || verdict === "none") return [];
  return assumed
    ? [`Its kind was not stated, so it counts as a ${declared}, and no test is red without it.`]
    : [`It was declared as a ${declared}, and no test is red without it.`];
}

/** Tells the author what to do about it, before a person is asked. */
export const PROOF_WANTED =
  "Show a test that is red without the change: it fails each time on the code as it was, and passes on the code as it is now. A test that failed before counts only if it passes unchanged. If no test can show it, say why.";

/** Tells the author what to do about an edited red test. */
export const OLD_FORM_WANTED =
  "Restore the test as it was and change the code until it passes. If the test itself is wrong, say why: a person then decides.";
