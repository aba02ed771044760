import { z } from "zod";
import type { TestCounts } from "../reports/test-report.ts";

/**
 * Test report as stored in a journal: numbers, and the names of failed tests. The full list is stored separately under
 * its digest, because thousands of names in every record would outweigh everything else.
 */
export const TestResults = z.object({
  total: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  source: z.string(),
  /** The engine requested the report from the test program. Otherwise a test could have printed it. */
  asked: z.literal(true).optional(),
  /** Files whose tests could not be collected. Each counts as a failed test. */
  uncollected: z.number().optional(),
  failing: z.array(z.string()).optional(),
  /** Digest of the stored list of all test names. */
  names: z.string().optional(),
});
export type TestResults = z.infer<typeof TestResults>;

/** More failures than a person reads. Comparing more names gives no information either. */
const MOST_FAILING = 5_000;

export function toTestResults({ names, asked, uncollected, ...counts }: TestCounts): TestResults {
  const { total, passed, failed, skipped, source } = counts;
  const failing = names && Object.keys(names).filter((name) => names[name] === "failed");
  return {
    total,
    passed,
    failed,
    skipped,
    source,
    ...(asked ? { asked } : {}),
    ...(uncollected && uncollected.length > 0 ? { uncollected: uncollected.length } : {}),
    ...(failing && failing.length <= MOST_FAILING ? { failing } : {}),
  };
}
