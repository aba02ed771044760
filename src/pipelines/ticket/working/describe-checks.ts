import type { Evidence } from "../../../core/authoring/verbs.ts";
import { OWN_CHECKS } from "../../evidence-line.ts";

const MEANING = {
  passed: "passed",
  failed: "failed",
  regression: "failed; passed before the work",
  "red-before": "red as before the work",
  flaky: "flaky",
  "not-run": "could not run: proves nothing about the work",
} as const;

/** Describes the check results without implying more than they prove. */
export function describeChecks({ checks, tamper }: Pick<Evidence, "checks" | "tamper">) {
  const told = checks
    .filter(({ name, passed }) => !passed || !OWN_CHECKS.includes(name))
    .map(({ name, outcome, because, exitCode, failing = [] }) => ({
      check: name,
      outcome: MEANING[outcome],
      ...(outcome === "passed" || exitCode === null ? {} : { exitCode }),
      ...(because === undefined || outcome === "passed" ? {} : { because }),
      ...(failing.length > 0 ? { failing } : {}),
    }));
  const evidence = told.length > 0 ? told : "nothing ran: no command of this project proves the work";
  return { evidence, ...(tamper.length > 0 ? { weakened: tamper.map(({ message }) => message) } : {}) };
}
