import { explainCheck, getOutcomeWord, type RecordedRun } from "./explain-check.ts";

/** Prediction from the first checks about the end of the run, with a fix before any work is done. */
export type PreflightNote = { readonly says: string; readonly cure: string };

type PreflightEvidence = RecordedRun & { readonly check: string };

/**
 * Returns one note per kind, to keep the list short. A check that could not run at all ends the run with its own
 * message.
 */
export function createPreflightNotes(evidence: readonly PreflightEvidence[]): readonly PreflightNote[] {
  const red = evidence.filter((each) => getOutcomeWord(each) !== "passed" && getOutcomeWord(each) !== "not-run");
  const named = red.filter(({ tests }) => (tests?.failing?.length ?? 0) > 0);
  const unnamed = red.filter((each) => !named.includes(each));
  return [
    ...named.map((each) => ({
      says: `${each.check} is red before the work: ${explainCheck(each)}`,
      cure: "these failures do not count against the work; a commit lists them as a caveat",
    })),
    ...unnamed.map((each) => ({
      says: `${each.check} is red before the work and reports no test names, so old and new failures cannot be distinguished`,
      cure: "fix it first, or make it report test names; otherwise you are asked before a commit",
    })),
    ...noteUntested(evidence),
  ];
}

function noteUntested(evidence: readonly PreflightEvidence[]): readonly PreflightNote[] {
  if (evidence.length === 0 || !evidence.every((each) => getOutcomeWord(each) !== "not-run" && !hasTests(each)))
    return [];
  return [
    {
      says: formatUntested(evidence.map(({ check }) => check)),
      cure: "add the project's tests to commands: in .signalbox/config.yaml, or make the configured ones print a readable report (docs/reference/evidence.md); otherwise the result lists it as a caveat",
    },
  ];
}

export const hasTests = ({ tests }: Pick<RecordedRun, "tests">): boolean => (tests?.total ?? 0) > 0;

/** Used unchanged before the work, at a commit and at the end. */
export function formatUntested(checks: readonly string[]): string {
  return `no check reported a test: ${checks.join(", ")} ran, but no test of the code's behaviour was seen`;
}
