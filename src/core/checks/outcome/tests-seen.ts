import { z } from "zod";
import type { TestCounts } from "../reports/test-report.ts";

/**
 * What a journal keeps of a test report: numbers, and the names of what failed. All names are kept beside it, under
 * their digest: thousands of them in every record would outweigh everything else.
 */
export const TestResults = z.object({
  total: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  source: z.string(),
  /** The engine asked the test program for the report; otherwise a test could have printed it. */
  asked: z.literal(true).optional(),
  /** Files whose tests could not be collected; each counts as one that failed. */
  uncollected: z.number().optional(),
  failing: z.array(z.string()).optional(),
  /** Where the names of all tests are kept. */
  names: z.string().optional(),
});
export type TestResults = z.infer<typeof TestResults>;

/** More failures than a person reads; a comparison of so many names would say nothing either. */
const MOST_FAILING = 5_000;

export function testsSeen({ names, asked, uncollected, ...counts }: TestCounts): TestResults {
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
