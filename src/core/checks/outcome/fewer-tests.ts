import type { Finding } from "../../authoring/finding.ts";
import type { TestCounts } from "../reports/test-report.ts";

export type TestChange = {
  readonly name: string;
  readonly before: TestCounts | undefined;
  readonly after: TestCounts | undefined;
};

/** Fewer tests collected, or as many of which fewer ran: what is not run cannot fail. */
export function fewerTests({ name, before, after }: TestChange): Finding | undefined {
  // What could not be collected at all is a command that did not run, and says so itself.
  if (!before || !after || after.total === 0) return undefined;
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
