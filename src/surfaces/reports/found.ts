import type { Finding } from "../../core/authoring/finding.ts";
import { becauseOf, wordOf } from "../../core/checks/outcome/because.ts";
import { standingIn } from "../../core/journal/gate-place.ts";
import { type EvidenceReport, isBad, standingChecks } from "../../views/evidence.ts";
import type { DecisionReport } from "../../views/gates.ts";
import type { RunReport } from "./run-report.ts";

/** A finding that stands at the end of a run, and the rule, reviewer or check that it comes from. */
export type Found = Finding & { readonly rule: string; readonly gate?: string };

/** Of the gates as they stand, and of checks that stand as bad and no gate has spoken of. */
export function foundIn(report: RunReport): readonly Found[] {
  const gates = standingIn(report.decisions).flatMap((decision) =>
    decision.findings.map((each) => ({ ...each, rule: ruleOf(each, decision), gate: decision.gate })),
  );
  const checks = standingChecks(report.evidence.flatMap(({ evidence }) => evidence))
    .filter(isBad)
    .flatMap((seen) => {
      const rule = `check/${seen.check}`;
      if (seen.findings?.length)
        return seen.findings.filter((each) => !isTold(each, gates)).map((each) => ({ ...each, rule }));
      return gates.some((each) => isAbout(each, seen)) ? [] : [{ ...findingOf(seen), rule }];
    });
  return [...gates, ...checks];
}

/** As heavy as it is: a reviewer who calls it small has not said it. */
const isTold = ({ message, severity }: Finding, gates: readonly Found[]): boolean =>
  gates.some((each) => each.message === message && each.severity === severity);

/** A gate hands the judgement of a command on as it is: from the check, and beginning with its name. */
const isAbout = ({ by, message, severity }: Found, { check }: EvidenceReport): boolean =>
  by === "check" && severity === "major" && message.startsWith(`${check} `);

/** A command has no findings of its own: how it ended is one. */
function findingOf(seen: EvidenceReport): Finding {
  const { check, tests } = seen;
  const because = becauseOf(seen);
  const failing = tests?.failing ?? [];
  return {
    severity: "major",
    message: `${check}: ${wordOf(seen)}${because && `: ${because}`}`,
    by: "check",
    ...(failing.length > 0 ? { tests: failing.slice(0, MOST_TESTS) } : {}),
  };
}

const MOST_TESTS = 100;

/** A rule says its id before its message; everybody else is named by the gate that took the finding. */
function ruleOf({ message, by }: Finding, { gate, rules }: DecisionReport): string {
  const rule = rules.find(({ rule: id }) => message.startsWith(`${id}: `));
  return rule?.rule ?? [gate, ...(by === undefined ? [] : [by])].join("/");
}
