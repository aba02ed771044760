import type { Finding } from "../core/authoring/finding.ts";
import type { Check, Evidence } from "../core/authoring/verbs.ts";

/** The engine's own checks and the meaning of their outcomes. */
const OWN: Readonly<Record<string, { readonly passed: string; readonly failed: string }>> = {
  scope: { passed: "only declared files changed", failed: "files changed that nobody had declared" },
  tamper: { passed: "no test or setting weakened", failed: "a test or setting weakened" },
  parses: { passed: "every changed file parses", failed: "a changed file does not parse" },
};
export const OWN_CHECKS: readonly string[] = Object.keys(OWN);

/** Describes the outcome of one of the engine's own checks; undefined for a command of the project. */
export function describeOwnCheck({ name, outcome, because }: OwnCheck): string | undefined {
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  if (!own || outcome === "not-run" || outcome === "flaky") return undefined;
  return outcome === "passed" ? (because?.replace(/\.$/, "") ?? own.passed) : own.failed;
}

type OwnCheck = Pick<Check, "name" | "outcome" | "because">;

/** Formats the check results of a tree in one line, and says so if they prove nothing. */
export function formatEvidence({ checks }: Pick<Evidence, "checks">): string {
  const seen = checks.map((check) => describeOwnCheck(check) ?? `${check.name} ${WORDS[check.outcome]}`).join(", ");
  if (checks.some(isProof)) return seen;
  return `${seen || "no checks"}; no command of the project has shown that this tree works`;
}

/** Formats the results of the project's own commands only. */
export const formatCommandEvidence = ({ checks }: Pick<Evidence, "checks">): string =>
  formatEvidence({ checks: checks.filter(({ name }) => !OWN_CHECKS.includes(name)) });

/** Returns the reason and output of a failed check. */
export function describeFailedCheck(check: Check): Pick<Finding, "message" | "tests" | "output"> {
  const { name, outcome, because = `${name} ${WORDS[outcome]}`, snippet, output, failing } = check;
  const message = output === undefined ? [because, snippet.trim()].filter((text) => text !== "").join("\n") : because;
  return { message, ...(output === undefined ? {} : { output, ...(failing ? { tests: failing } : {}) }) };
}

function isProof({ name, outcome, proves }: Check): boolean {
  return proves === true || (outcome === "passed" && !OWN_CHECKS.includes(name));
}

const WORDS: Readonly<Record<Check["outcome"], string>> = {
  passed: "passed",
  failed: "failed",
  regression: "failed",
  "red-before": "red as before",
  flaky: "flaky",
  "not-run": "could not be run",
};
