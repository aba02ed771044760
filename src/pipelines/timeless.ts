import type { Finding } from "../core/authoring/finding.ts";
import type { Evidence } from "../core/authoring/verbs.ts";
import { withoutTimes } from "../core/checks/outcome/without-times.ts";

/** Removes durations from evidence, for committed documents. */
export function timeless(evidence: Evidence): Evidence {
  const { checks, regressions, tamper, findings } = evidence;
  return {
    ...evidence,
    // The findings quote the output.
    checks: checks.map(({ output: _output, ...check }) => ({ ...check, snippet: withoutTimes(check.snippet) })),
    regressions: regressions.map(timelessFinding),
    tamper: tamper.map(timelessFinding),
    findings: findings.map(timelessFinding),
  };
}

function timelessFinding(finding: Finding): Finding {
  return finding.output === undefined ? finding : { ...finding, output: withoutTimes(finding.output) };
}
