import { becauseOf, type RecordedRun, wordOf } from "./because.ts";

/** Prediction from the first checks about the end of the run, with a fix before any work is done. */
export type PreflightNote = { readonly says: string; readonly cure: string };

type Seen = RecordedRun & { readonly check: string };

/**
 * Returns one note per kind, to keep the list short. A check that could not run at all ends the run with its own
 * message.
 */
export function preflightNotes(evidence: readonly Seen[]): readonly PreflightNote[] {
  const red = evidence.filter((each) => wordOf(each) !== "passed" && wordOf(each) !== "not-run");
  const named = red.filter(({ tests }) => (tests?.failing?.length ?? 0) > 0);
  const unnamed = red.filter((each) => !named.includes(each));
  return [
    ...named.map((each) => ({
      says: `${each.check} is red before the work: ${becauseOf(each)}`,
      cure: "none of these is held against the work; a commit has it as a caveat",
    })),
    ...unnamed.map((each) => ({
      says: `${each.check} is red before the work and names no test, so nothing tells an old failure from a new one`,
      cure: "repair it first, or let it name its tests; else you are asked before a commit",
    })),
    ...untested(evidence),
  ];
}

function untested(evidence: readonly Seen[]): readonly PreflightNote[] {
  if (evidence.length === 0 || !evidence.every((each) => wordOf(each) !== "not-run" && !hasTests(each))) return [];
  return [
    {
      says: untestedText(evidence.map(({ check }) => check)),
      cure: "put the project's tests under commands: in .signalbox/config.yaml, or let those that are there print a report that can be read (docs/reference/evidence.md); else the end has it as a caveat",
    },
  ];
}

export const hasTests = ({ tests }: Pick<RecordedRun, "tests">): boolean => (tests?.total ?? 0) > 0;

/** Used unchanged before the work, at a commit and at the end. */
export function untestedText(checks: readonly string[]): string {
  return `no check has reported a test: ${checks.join(", ")} ran, and what the code does was not seen`;
}
