import type { Finding } from "../../core/authoring/finding.ts";
import { explainCheck, getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import { selectLatestGates } from "../../core/journal/gate-place.ts";
import { type EvidenceReport, isRejectedResult, selectLatestChecks } from "../../views/evidence.ts";
import type { DecisionReport } from "../../views/gates.ts";
import type { RunReport } from "./run-report.ts";

/** An open finding at the end of a run, with the rule, reviewer or check that produced it. */
export type OpenFinding = Finding & { readonly rule: string; readonly gate?: string };

/** Lists the findings of the latest gate decisions, and of failing checks that no gate has reported. */
export function listOpenFindings(report: RunReport): readonly OpenFinding[] {
  const gates = selectLatestGates(report.decisions).flatMap((decision) =>
    decision.findings.map((each) => ({ ...each, rule: getRuleId(each, decision), gate: decision.gate })),
  );
  const checks = selectLatestChecks(report.evidence.flatMap(({ evidence }) => evidence))
    .filter(isRejectedResult)
    .flatMap((seen) => {
      const rule = `check/${seen.check}`;
      if (seen.findings?.length)
        return seen.findings.filter((each) => !isReported(each, gates)).map((each) => ({ ...each, rule }));
      return gates.some((each) => isAboutCheck(each, seen)) ? [] : [{ ...toFinding(seen), rule }];
    });
  return [...gates, ...checks];
}

/**
 * Returns whether a gate reports the finding with the same severity. A reviewer who reports it as minor has not
 * reported it.
 */
const isReported = ({ message, severity }: Finding, gates: readonly OpenFinding[]): boolean =>
  gates.some((each) => each.message === message && each.severity === severity);

/**
 * Returns whether a gate passes on the result of the check: its finding comes from the check and starts with its name.
 */
const isAboutCheck = ({ by, message, severity }: OpenFinding, { check }: EvidenceReport): boolean =>
  by === "check" && severity === "major" && message.startsWith(`${check} `);

/** Creates a finding from the outcome of a command that has no findings of its own. */
function toFinding(seen: EvidenceReport): Finding {
  const { check, tests } = seen;
  const because = explainCheck(seen);
  const failing = tests?.failing ?? [];
  return {
    severity: "major",
    message: `${check}: ${getOutcomeWord(seen)}${because && `: ${because}`}`,
    by: "check",
    ...(failing.length > 0 ? { tests: failing.slice(0, MAX_TESTS) } : {}),
  };
}

const MAX_TESTS = 100;

/** Returns the rule whose id starts the message, otherwise the gate and the author of the finding. */
function getRuleId({ message, by }: Finding, { gate, rules }: DecisionReport): string {
  const rule = rules.find(({ rule: id }) => message.startsWith(`${id}: `));
  return rule?.rule ?? [gate, ...(by === undefined ? [] : [by])].join("/");
}
