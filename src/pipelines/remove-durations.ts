import type { Finding } from "../core/authoring/finding.ts";
import type { Evidence } from "../core/authoring/verbs.ts";
import { withoutTimes } from "../core/checks/outcome/without-times.ts";

/** Removes durations from evidence, for committed documents. */
export function removeDurations(evidence: Evidence): Evidence {
  const { checks, regressions, tamper, findings } = evidence;
  return {
    ...evidence,
    // The findings quote the output.
    checks: checks.map(({ output: _output, ...check }) => ({ ...check, snippet: withoutTimes(check.snippet) })),
    regressions: regressions.map(removeFindingDurations),
    tamper: tamper.map(removeFindingDurations),
    findings: findings.map(removeFindingDurations),
  };
}

function removeFindingDurations(finding: Finding): Finding {
  return finding.output === undefined ? finding : { ...finding, output: withoutTimes(finding.output) };
}
