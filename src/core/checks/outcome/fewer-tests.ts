import type { Finding } from "../../authoring/finding.ts";
import type { TestCounts } from "../reports/test-report.ts";

/** Numbers alone; `uncollected` are files whose tests could not be collected, each counted as a failed test. */
type PlainTestCounts = Omit<TestCounts, "names" | "asked" | "uncollected"> & {
  readonly uncollected?: number | undefined;
};

export type TestChange = {
  readonly name: string;
  readonly before: PlainTestCounts | undefined;
  readonly after: PlainTestCounts | undefined;
};

/** Reports that fewer tests were collected, or that fewer of them ran: a test that is not run cannot fail. */
export function findFewerTests({ name, before, after }: TestChange): Finding | undefined {
  if (!before || !after || isExplainedByFailure(before, after)) return undefined;
  const [collected, ran] = [after.total - before.total, countExecutedTests(after) - countExecutedTests(before)];
  if (collected >= 0 && ran >= 0) return undefined;
  const message =
    collected < 0
      ? `${name} collected ${before.total} tests on the baseline and ${after.total} now`
      : `${name} ran ${countExecutedTests(before)} tests on the baseline and ${countExecutedTests(after)} now; the others were skipped`;
  return { severity: "critical", message, by: "tamper" };
}

/**
 * Returns whether tests could not be collected, or no test passed. The command then is red or did not run for that
 * reason and reports it itself. Nobody hides a test with a failure.
 */
function isExplainedByFailure(before: PlainTestCounts, after: PlainTestCounts): boolean {
  if (after.total === 0 || (after.uncollected ?? 0) > (before.uncollected ?? 0)) return true;
  return after.passed === 0 && after.failed > before.failed;
}

function countExecutedTests(counts: PlainTestCounts): number {
  return counts.total - counts.skipped;
}
