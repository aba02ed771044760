import type { Judgement } from "../../../core/authoring/rule.ts";
import type { Check, Evidence } from "../../../core/authoring/verbs.ts";
import { advised, judged } from "../review/findings.ts";

type CheckEvidence = Pick<Evidence, "checks">;

/**
 * Checks that failed, got worse or can no longer run. Checks that were red before, and flaky ones, count neither way.
 */
export const reds = (checks: readonly Pick<Check, "name" | "outcome">[]) =>
  checks.filter(({ outcome }) => outcome === "failed" || outcome === "regression" || outcome === "not-run");

const isTest = ({ name }: Pick<Check, "name">): boolean => name.startsWith("test");
export const testsIn = (evidence: CheckEvidence | undefined) => evidence?.checks.filter(isTest) ?? [];
export const restIn = (evidence: CheckEvidence | undefined) =>
  evidence?.checks.filter((check) => !isTest(check) && check.name !== "build") ?? [];

export function clean(asked: boolean, item: string, checks: CheckEvidence["checks"]): Judgement {
  if (!asked) return { passed: true };
  if (checks.length === 0) return advised([`${item}: NOT_AVAILABLE`]);
  const red = reds(checks);
  if (red.length > 0) return judged(red.map(({ name, outcome }) => `${name}: ${outcome}`));
  return advised(
    checks.filter(({ outcome }) => outcome !== "passed").map(({ name, outcome }) => `${name}: ${outcome}`),
  );
}
