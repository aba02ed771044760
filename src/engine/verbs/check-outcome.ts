import type { Finding } from "../../core/authoring/finding.ts";
import type { Check } from "../../core/authoring/verbs.ts";
import { type CheckOutcome, judgeCheck, newlyFailing } from "../../core/checks/outcome/outcome.ts";
import { type CommandRun, runOf } from "./check-runs.ts";

export type JudgedCheck = { readonly check: Check; readonly findings: readonly Finding[] };

/** A command's runs on both trees, judged together. */
export function judgedCheck(
  name: string,
  before: readonly CommandRun[] = [],
  after: readonly CommandRun[] = [],
): JudgedCheck {
  const last = after.at(-1);
  const compared = { name, before: before.map(runOf), after: after.map(runOf) };
  const { outcome, proves, findings: plain } = judgeCheck(compared);
  // Of those that fail in every run; where it is another one each time, of the last.
  const named = outcome === "regression" ? newlyFailing(compared) : [];
  const findings = plain.map((finding) => shownBy(finding, { outcome, last, named }));
  const failing = last?.tests?.failing ?? [];
  const ran = (last?.tests?.passed ?? 0) + (last?.tests?.failed ?? 0);
  const check: Check = {
    name,
    passed: outcome === "passed",
    exitCode: last?.exitCode ?? null,
    snippet: last?.snippet ?? "",
    ...(last?.excerpt && outcome !== "red-before" ? { output: last.excerpt } : {}),
    outcome,
    ...(proves ? { proves: true } : {}),
    ...(ran > 0 ? { tests: ran } : {}),
    ...(failing.length > 0 ? { failing: failing.slice(0, SHOWN) } : {}),
    ...(findings[0] ? { because: findings[0].message } : {}),
    ...(before[0] ? { before: judgeCheck({ name, before: [], after: before.map(runOf) }).outcome === "passed" } : {}),
  };
  return { check, findings };
}

type Shown = {
  readonly outcome: CheckOutcome;
  readonly last: CommandRun | undefined;
  readonly named: readonly string[];
};

/** With what shows it: whoever mends it gets the names and the words of the program, not a sentence about them. */
function shownBy(finding: Finding, { outcome, last, named }: Shown): Finding {
  const names = named.length > 0 ? named : (last?.tests?.failing ?? []);
  const rest = names.length - SHOWN;
  const tests = rest > 0 ? [...names.slice(0, SHOWN), `and ${rest} more`] : names;
  // What was as red before is nobody's to mend.
  const output = outcome === "red-before" ? undefined : last?.excerpt;
  return { ...finding, ...(tests.length > 0 ? { tests } : {}), ...(output ? { output } : {}) };
}

/** Names that travel with the evidence; the journal has them all. */
const SHOWN = 20;

/** A check of the engine's own: it found something, or nothing. */
export function ownCheck(result: CommandRun & { readonly findings?: readonly Finding[] }): JudgedCheck {
  const passed = result.exitCode === 0;
  const { name, exitCode, snippet } = result;
  // A change of tests that is let through is not the same as none.
  const because = name === "tamper" && passed && snippet !== "" ? { because: snippet } : {};
  return {
    check: { name, passed, exitCode, snippet, outcome: passed ? "passed" : "failed", ...because },
    findings: result.findings ?? [],
  };
}
