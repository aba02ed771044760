import { z } from "zod";
import { collectTests, type NamedTest } from "./named-tests.ts";
import type { Reading } from "./tally.ts";

const Test = z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() });
const File = z.object({ name: z.string(), status: z.string(), assertionResults: z.array(Test) });
const Report = z.object({
  numTotalTests: z.int().nonnegative(),
  numPassedTests: z.int().nonnegative(),
  numFailedTests: z.int().nonnegative(),
  testResults: z.array(File).optional(),
});

/** Reads the JSON report of Vitest and Jest, which use the same names. A package manager may print lines around it. */
export function readVitest(text: string, tops: readonly string[]): Reading | undefined {
  if (!text.includes('"numTotalTests"')) return undefined;
  const report = Report.safeParse(parseEmbeddedJson(text)).data;
  if (!report) return undefined;
  if (report.testResults) return collectTests(report.testResults.flatMap(listFileTests), tops);
  const { numTotalTests: total, numPassedTests: passed, numFailedTests: failed } = report;
  // Skipped, pending and todo: every collected test that did not run.
  return { passed, failed, skipped: Math.max(0, total - passed - failed) };
}

function listFileTests({ name, status, assertionResults }: z.infer<typeof File>): readonly NamedTest[] {
  if (assertionResults.length === 0 && status === "failed") return [{ file: name, path: [], end: "uncollected" }];
  return assertionResults.map((test) => ({
    file: name,
    path: [...test.ancestorTitles, test.title],
    end: test.status === "passed" || test.status === "failed" ? test.status : "skipped",
  }));
}

function parseEmbeddedJson(text: string): unknown {
  const start = text.startsWith("{") ? 0 : text.indexOf("\n{") + 1;
  try {
    return JSON.parse(text.slice(start, text.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
