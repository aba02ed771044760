import type { Judgement } from "../../../core/authoring/rule.ts";
import type { Check, Evidence } from "../../../core/authoring/verbs.ts";
import { createAdvice, judgeProblems } from "../review/findings.ts";

type CheckEvidence = Pick<Evidence, "checks">;

/**
 * Checks that failed, got worse or can no longer run. Checks that were red before, and flaky ones, count neither way.
 */
export const filterRedChecks = (checks: readonly Pick<Check, "name" | "outcome">[]) =>
  checks.filter(({ outcome }) => outcome === "failed" || outcome === "regression" || outcome === "not-run");

const isTestCheck = ({ name }: Pick<Check, "name">): boolean => name.startsWith("test");
export const filterTestChecks = (evidence: CheckEvidence | undefined) => evidence?.checks.filter(isTestCheck) ?? [];
export const filterOtherChecks = (evidence: CheckEvidence | undefined) =>
  evidence?.checks.filter((check) => !isTestCheck(check) && check.name !== "build") ?? [];

export function judgeChecks(asked: boolean, item: string, checks: CheckEvidence["checks"]): Judgement {
  if (!asked) return { passed: true };
  if (checks.length === 0) return createAdvice([`${item}: NOT_AVAILABLE`]);
  const red = filterRedChecks(checks);
  if (red.length > 0) return judgeProblems(red.map(({ name, outcome }) => `${name}: ${outcome}`));
  return createAdvice(
    checks.filter(({ outcome }) => outcome !== "passed").map(({ name, outcome }) => `${name}: ${outcome}`),
  );
}
