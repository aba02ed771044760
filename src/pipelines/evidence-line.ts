import type { Finding } from "../core/authoring/finding.ts";
import type { Check, Evidence } from "../core/authoring/verbs.ts";

/** What the engine looks at itself after every change, whatever the project has. */
export const OWN_CHECKS: readonly string[] = ["scope", "tamper", "parses"];

/** What the engine saw on a tree, in one line; where that proves nothing, it says so: a verdict beside it is a word. */
export function evidenceLine({ checks }: Pick<Evidence, "checks">): string {
  const seen = checks.map((check) => `${check.name} ${WORDS[check.outcome]}`).join(", ");
  if (checks.some(isProof)) return seen;
  return `${seen || "no checks"}; no command of the project has shown that this tree works`;
}

/** The same of the project's own commands alone, for who reads a commit. */
export const checksLine = ({ checks }: Pick<Evidence, "checks">): string =>
  evidenceLine({ checks: checks.filter(({ name }) => !OWN_CHECKS.includes(name)) });

/** One check that speaks against a tree: why, and its own words for whoever repairs it. */
export function complaintOf(check: Check): Pick<Finding, "message" | "tests" | "output"> {
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
  flaky: "does not agree with itself",
  "not-run": "could not be run",
};
