import type { Finding } from "../../core/authoring/finding.ts";
import type { Check } from "../../core/authoring/verbs.ts";
import { type CheckOutcome, findNewFailures, judgeCheck } from "../../core/checks/outcome/outcome.ts";
import { type CommandRun, toCheckRun } from "./check-runs.ts";

export type JudgedCheck = { readonly check: Check; readonly findings: readonly Finding[] };

/** Judges the runs of a command on both trees together. */
export function judgeRuns(
  name: string,
  before: readonly CommandRun[] = [],
  after: readonly CommandRun[] = [],
): JudgedCheck {
  const last = after.at(-1);
  const compared = { name, before: before.map(toCheckRun), after: after.map(toCheckRun) };
  const { outcome, proves, findings: plain } = judgeCheck(compared);
  // Tests that fail in every run. If a different one fails each time, those of the last run.
  const named = outcome === "regression" ? findNewFailures(compared) : [];
  const findings = plain.map((finding) => addDetails(finding, { outcome, last, named }));
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
    ...(before[0]
      ? { before: judgeCheck({ name, before: [], after: before.map(toCheckRun) }).outcome === "passed" }
      : {}),
  };
  return { check, findings };
}

type FindingDetails = {
  readonly outcome: CheckOutcome;
  readonly last: CommandRun | undefined;
  readonly named: readonly string[];
};

/** Adds names of tests and output to a finding, so that the agent that fixes it sees them instead of a summary. */
function addDetails(finding: Finding, { outcome, last, named }: FindingDetails): Finding {
  const names = named.length > 0 ? named : (last?.tests?.failing ?? []);
  const rest = names.length - SHOWN;
  const tests = rest > 0 ? [...names.slice(0, SHOWN), `and ${rest} more`] : names;
  // A check that was as red before needs no fix, so its output is left out.
  const output = outcome === "red-before" ? undefined : last?.excerpt;
  return { ...finding, ...(tests.length > 0 ? { tests } : {}), ...(output ? { output } : {}) };
}

/** Most names that go with the evidence; the journal has all of them. */
const SHOWN = 20;

/** Turns a check of the engine itself into a judged check. */
export function toOwnCheck(result: CommandRun & { readonly findings?: readonly Finding[] }): JudgedCheck {
  const passed = result.exitCode === 0;
  const { name, exitCode, snippet } = result;
  // A test change that was let through is different from none.
  const because = name === "tamper" && passed && snippet !== "" ? { because: snippet } : {};
  return {
    check: { name, passed, exitCode, snippet, outcome: passed ? "passed" : "failed", ...because },
    findings: result.findings ?? [],
  };
}
