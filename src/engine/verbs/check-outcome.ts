import { judgeCheck } from "../../core/evidence/outcome.ts";
import type { Finding } from "../../core/finding.ts";
import type { Check } from "../../core/verbs.ts";
import { runOf, type SeenRun } from "./check-runs.ts";

export type JudgedCheck = { readonly check: Check; readonly findings: readonly Finding[] };

/** A command's runs on both trees, judged together. */
export function judgedCheck(
  name: string,
  before: readonly SeenRun[] = [],
  after: readonly SeenRun[] = [],
): JudgedCheck {
  const last = after.at(-1);
  const judged = judgeCheck({ name, before: before.map(runOf), after: after.map(runOf) });
  const { outcome, proves, findings } = judged;
  const failing = last?.tests?.failing ?? [];
  const check: Check = {
    name,
    passed: outcome === "passed",
    exitCode: last?.exitCode ?? null,
    snippet: last?.snippet ?? "",
    outcome,
    ...(proves ? { proves: true } : {}),
    ...(failing.length > 0 ? { failing: failing.slice(0, SHOWN) } : {}),
    ...(findings[0] ? { because: findings[0].message } : {}),
    ...(before[0] ? { before: judgeCheck({ name, before: [], after: before.map(runOf) }).outcome === "passed" } : {}),
  };
  return { check, findings };
}

/** Names that travel with the evidence; the journal has them all. */
const SHOWN = 20;

/** A check of the engine's own: it found something, or nothing. */
export function ownCheck(result: SeenRun & { readonly findings?: readonly Finding[] }): JudgedCheck {
  const passed = result.exitCode === 0;
  const { name, exitCode, snippet } = result;
  return {
    check: { name, passed, exitCode, snippet, outcome: passed ? "passed" : "failed" },
    findings: result.findings ?? [],
  };
}
