import type { Finding } from "../../core/authoring/finding.ts";
import { isBad, standingChecks } from "../../views/evidence.ts";
import type { DecisionReport } from "../../views/gates.ts";
import type { RunReport } from "./run-report.ts";

/** A finding that stands at the end of a run, and the rule, reviewer or check that it comes from. */
export type Found = Finding & { readonly rule: string; readonly gate?: string };

/** Of the gates as they stand, and of checks that stand as bad and no gate has spoken of. */
export function foundIn(report: RunReport): readonly Found[] {
  const gates = standing(report).flatMap((decision) =>
    decision.findings.map((each) => ({ ...each, rule: ruleOf(each, decision), gate: decision.gate })),
  );
  const checks = standingChecks(report.evidence.flatMap(({ evidence }) => evidence))
    .filter(isBad)
    .flatMap(({ check, findings = [] }) => findings.map((each) => ({ ...each, rule: `check/${check}` })));
  const told = new Set(gates.map(({ message }) => message));
  return [...gates, ...checks.filter(({ message }) => !told.has(message))];
}

/** A later decision of the same gate replaces the earlier one. */
export function standing({ decisions }: Pick<RunReport, "decisions">): readonly DecisionReport[] {
  return [...new Map(decisions.map((each) => [each.gate, each])).values()];
}

/** A rule says its id before its message; everybody else is named by the gate that took the finding. */
function ruleOf({ message, by }: Finding, { gate, rules }: DecisionReport): string {
  const rule = rules.find(({ rule: id }) => message.startsWith(`${id}: `));
  return rule?.rule ?? [gate, ...(by === undefined ? [] : [by])].join("/");
}
