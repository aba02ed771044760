import type { CheckedCommand } from "../../core/effect.ts";
import { type CheckOutcome, type CheckRun, judgeCheck } from "../../core/evidence/compare.ts";
import type { Finding } from "../../core/finding.ts";
import type { Check } from "../../core/verbs.ts";

export function runOf(result: CheckedCommand): CheckRun {
  return { passed: result.exitCode === 0, ...(result.tests ? { tests: result.tests } : {}) };
}

export type JudgedCheck = { readonly check: Check; readonly findings: readonly Finding[] };

/** A command's runs on both trees, judged together. */
export function judgedCheck(
  name: string,
  before: readonly CheckedCommand[] = [],
  after: readonly CheckedCommand[] = [],
): JudgedCheck {
  const last = after.at(-1);
  if (last?.exitCode === null) return notRun(last);
  const { outcome, findings } = judgeCheck({ name, before: before.map(runOf), after: after.map(runOf) });
  const check = last ? checkOf(last, outcome) : { name, passed: false, exitCode: null, snippet: "", outcome };
  return { check: { ...check, ...(before[0] ? { before: runOf(before[0]).passed } : {}) }, findings };
}

export function checkOf(result: CheckedCommand, outcome: CheckOutcome): Check {
  return {
    name: result.name,
    passed: outcome === "passed",
    exitCode: result.exitCode,
    snippet: result.snippet,
    outcome,
  };
}

/** Stopped, or never begun because its checkout could not be prepared: as red as can be, whatever was before. */
function notRun(result: CheckedCommand): JudgedCheck {
  const message = `${result.name} could not be run: ${result.snippet.slice(0, 200)}`;
  return { check: checkOf(result, "failed"), findings: [{ severity: "major", message, by: "check" }] };
}
