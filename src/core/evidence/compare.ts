import type { Finding } from "../finding.ts";
import type { TestCounts } from "./test-report.ts";

/** One execution of a check on one tree. */
export type CheckRun = { readonly passed: boolean; readonly tests?: TestCounts | undefined };

/**
 * `red-before` and `flaky` count neither as passed nor as failed: the first was no better where the work started,
 * the second does not agree with itself.
 */
export type CheckOutcome = "passed" | "failed" | "regression" | "red-before" | "flaky";

export type Compared = {
  readonly name: string;
  /** Runs on the tree that the work started from; none where there is no baseline. */
  readonly before: readonly CheckRun[];
  /** Runs on the tree that the work left. */
  readonly after: readonly CheckRun[];
};

export type Judged = { readonly outcome: CheckOutcome; readonly findings: readonly Finding[] };

/** What baseline and after say together. Findings come with everything but a plain pass and a plain `red-before`. */
export function judgeCheck(compared: Compared): Judged {
  const outcome = outcomeOf(compared);
  const said = outcomeFinding(compared, outcome);
  const fewer = fewerTests({
    name: compared.name,
    before: mostTests(compared.before),
    after: mostTests(compared.after),
  });
  return { outcome, findings: [said, fewer].filter((finding) => finding !== undefined) };
}

/** A regression is believed only after both trees ran it once more. */
export function needsRerun(before: CheckRun | undefined, after: CheckRun): boolean {
  return before !== undefined && isRegression([before], [after]);
}

export type TestChange = {
  readonly name: string;
  readonly before: TestCounts | undefined;
  readonly after: TestCounts | undefined;
};

/** Fewer tests collected, or as many of which fewer ran: what is not run cannot fail. */
export function fewerTests({ name, before, after }: TestChange): Finding | undefined {
  if (!before || !after) return undefined;
  const [collected, ran] = [after.total - before.total, ranOf(after) - ranOf(before)];
  if (collected >= 0 && ran >= 0) return undefined;
  const message =
    collected < 0
      ? `${name} collected ${before.total} tests on the baseline and ${after.total} now`
      : `${name} ran ${ranOf(before)} tests on the baseline and ${ranOf(after)} now; the others were skipped`;
  return { severity: "critical", message, by: "tamper" };
}

function ranOf(counts: TestCounts): number {
  return counts.total - counts.skipped;
}

function outcomeOf({ before, after }: Compared): CheckOutcome {
  if (disagree(before) || disagree(after)) return "flaky";
  if (isRegression(before, after)) return "regression";
  if (after.length > 0 && after.every(isGreen)) return "passed";
  return before.length > 0 ? "red-before" : "failed";
}

function isRegression(before: readonly CheckRun[], after: readonly CheckRun[]): boolean {
  if (before.length === 0 || after.every(isGreen)) return false;
  return before.every(isGreen) || newFailures(before, after);
}

/** Red on both trees hides a new failure; the counts show it, unless one of the runs has none. */
function newFailures(before: readonly CheckRun[], after: readonly CheckRun[]): boolean {
  const [then, now] = [before.map(failedIn), after.map(failedIn)];
  return Math.min(...now) > Math.max(...then);
}

function failedIn(run: CheckRun): number {
  return run.tests?.failed ?? Number.NaN;
}

/** A test program that exits with 0 and ran nothing has shown nothing. */
function isGreen(run: CheckRun): boolean {
  return run.passed && run.tests?.total !== 0;
}

function disagree(runs: readonly CheckRun[]): boolean {
  return runs.some(isGreen) && !runs.every(isGreen);
}

/** The most that any run saw: a run that broke off early says nothing about what there is. */
function mostTests(runs: readonly CheckRun[]): TestCounts | undefined {
  return runs
    .flatMap((run) => run.tests ?? [])
    .reduce<TestCounts | undefined>((most, counts) => (most && most.total >= counts.total ? most : counts), undefined);
}

function outcomeFinding({ name, before, after }: Compared, outcome: CheckOutcome): Finding | undefined {
  const finding = (message: string): Finding => ({ severity: "major", message: `${name} ${message}`, by: "check" });
  if (outcome === "flaky") return finding("does not agree with itself: the same tree gave different results");
  if (outcome === "failed") return finding(after.some((run) => run.passed) ? "ran no test at all" : "fails");
  if (outcome !== "regression") return undefined;
  if (!before.every(isGreen)) return finding("failed on the baseline and has more failures now");
  return finding(after.some((run) => run.passed) ? "ran tests on the baseline and runs none now" : PASSED_BEFORE);
}

const PASSED_BEFORE = "passed on the baseline and fails now";
