import type { Finding } from "../../../core/authoring/finding.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import { formatEvidence } from "../../evidence-line.ts";
import { isSerious } from "./findings.ts";

/** Lists the findings against a tree, with their tests and output. */
export const listRegressions = ({ regressions, tamper, findings }: Evidence): readonly Finding[] => [
  ...regressions,
  ...tamper,
  ...findings.filter(isSerious),
];

/** Lists checks that fail now and did not fail before, or that fail in other tests. */
export function listNewFailures(before: Evidence, now: Evidence): readonly Finding[] {
  return now.checks.flatMap((check): Finding[] => {
    const was = before.checks.find(({ name }) => name === check.name);
    const others = check.failing?.filter((test) => !was?.failing?.includes(test)) ?? [];
    if (check.passed || (was && !was.passed && others.length === 0)) return [];
    const { name, failing: tests, snippet: output } = check;
    const message = check.because ?? `${name} is red`;
    return [{ severity: "major", message, by: name, ...(tests && { tests }), ...(output && { output }) }];
  });
}

/**
 * Formats the engine's check results for an agent: one line of outcomes, and the reasons of those that did not pass.
 */
export function describeEvidence(evidence: Evidence): Readonly<Record<string, unknown>> {
  const { checks, regressions, tamper, findings } = evidence;
  const because = checks.flatMap((check) => (check.outcome === "passed" ? [] : (check.because ?? [])));
  const all = [...regressions, ...tamper, ...findings];
  return {
    seen: formatEvidence(evidence),
    ...(because.length > 0 && { because }),
    ...(all.length > 0 && { findings: all }),
  };
}
