import type { Finding } from "../../authoring/finding.ts";
import type { TestCounts } from "../reports/test-report.ts";

/** The numbers alone; `uncollected` are files whose tests could not be collected, each of them a failed test. */
type Counts = Omit<TestCounts, "names" | "asked" | "uncollected"> & { readonly uncollected?: number | undefined };

export type TestChange = {
  readonly name: string;
  readonly before: Counts | undefined;
  readonly after: Counts | undefined;
};

/** Fewer tests collected, or as many of which fewer ran: what is not run cannot fail. */
export function fewerTests({ name, before, after }: TestChange): Finding | undefined {
  if (!before || !after || wasLost(before, after)) return undefined;
  const [collected, ran] = [after.total - before.total, ranOf(after) - ranOf(before)];
  if (collected >= 0 && ran >= 0) return undefined;
  const message =
    collected < 0
      ? `${name} collected ${before.total} tests on the baseline and ${after.total} now`
      : `${name} ran ${ranOf(before)} tests on the baseline and ${ranOf(after)} now; the others were skipped`;
  return { severity: "critical", message, by: "tamper" };
}

/**
 * Tests that could not be collected, or a command that came to none that passed: it is red or did not run by that, and says
 * so itself. Nobody hides a test by a failure of its own.
 */
function wasLost(before: Counts, after: Counts): boolean {
  if (after.total === 0 || (after.uncollected ?? 0) > (before.uncollected ?? 0)) return true;
  return after.passed === 0 && after.failed > before.failed;
}

function ranOf(counts: Counts): number {
  return counts.total - counts.skipped;
}
