import type { CommitOptions } from "../../../core/authoring/verbs.ts";
import type { ExamFindings } from "./exam.ts";

/**
 * A fix or a feature that no test is red without has shown nothing.
 * @rule A-27 (gate) The new exam sits on the old code: work declared as a fix or a feature shows a test that is red
 *   there; a loosened test is a finding.
 */
export function declaredDoubts({ red, verdict }: ExamFindings, declared: CommitOptions["declared"]): readonly string[] {
  if (declared === undefined || red > 0 || verdict === "none") return [];
  return [`It was declared as a ${declared}, and no test is red without it.`];
}
