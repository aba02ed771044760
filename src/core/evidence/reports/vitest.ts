import { z } from "zod";
import type { Tally } from "./tally.ts";

const Report = z.object({
  numTotalTests: z.int().nonnegative(),
  numPassedTests: z.int().nonnegative(),
  numFailedTests: z.int().nonnegative(),
});

/** Vitest's and Jest's JSON report, which share their names; a package manager may print lines around it. */
export function readVitest(text: string): Tally | undefined {
  if (!text.includes('"numTotalTests"')) return undefined;
  const report = Report.safeParse(jsonIn(text)).data;
  if (!report) return undefined;
  const { numTotalTests: total, numPassedTests: passed, numFailedTests: failed } = report;
  // Skipped, pending and to do: whatever was collected and did not run.
  return { passed, failed, skipped: Math.max(0, total - passed - failed) };
}

function jsonIn(text: string): unknown {
  const start = text.startsWith("{") ? 0 : text.indexOf("\n{") + 1;
  try {
    return JSON.parse(text.slice(start, text.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
