import { readBun } from "./bun.ts";
import { readCargo } from "./cargo.ts";
import { readGo } from "./go.ts";
import { readJUnit } from "./junit.ts";
import { collectTests } from "./named-tests.ts";
import type { RequestedReport, Runner } from "./requested-report.ts";
import { readPytest, readSummary } from "./summary-lines.ts";
import type { End, Reading } from "./tally.ts";
import { readTap } from "./tap.ts";
import { readVitest } from "./vitest.ts";

export type TestEnd = End;
/** Every test by its name, `file › group › title`; the second test of the same name ends in ` #2`. */
export type TestNames = Readonly<Record<string, TestEnd>>;

export type TestCounts = Reading & {
  /** Absent if a report has only numbers. */
  readonly names?: TestNames;
  readonly total: number;
  readonly source: ReportKind | Runner;
  /**
   * The engine requested the report from the test program and set its location. Otherwise a test could have printed it.
   */
  readonly asked?: true;
};

/** Tried in this order: unambiguous forms come first. */
const READERS = {
  junit: readJUnit,
  vitest: readVitest,
  go: readGo,
  bun: readBun,
  tap: readTap,
  cargo: readCargo,
  pytest: readPytest,
  summary: readSummary,
} as const;
export type ReportKind = keyof typeof READERS;
// The cast is true: Object.keys returns the names of the closed object above.
export const REPORT_KINDS = Object.keys(READERS) as readonly ReportKind[];

/** Longer reports are not read, because counting must not cost more than the tests. */
export const MOST_REPORT_CHARS = 64 * 1024 * 1024;

type ReportOptions = {
  readonly kind?: ReportKind;
  /** Locations of the checkout, which are removed from names. */
  readonly tops?: readonly string[];
};

/**
 * Reads test counts from the output or report of a test program; undefined if no known form is found. A report of zero
 * tests is a result (`total: 0`), which distinguishes a program without tests from one that does not count.
 */
export function readTestReport(text: string, { kind, tops = [] }: ReportOptions = {}): TestCounts | undefined {
  if (text.length > MOST_REPORT_CHARS) return undefined;
  for (const source of kind ? [kind] : REPORT_KINDS) {
    const reading = READERS[source](text, tops);
    if (reading) return { ...reading, total: sumTally(reading), source };
  }
  return undefined;
}

/** Adds up the reports of all test programs of a command, in an order that does not depend on their speed. */
export function countRequestedReports(
  reports: readonly RequestedReport[],
  tops: readonly string[],
): TestCounts | undefined {
  const sorted = reports.toSorted((a, b) => compare(a.runner, b.runner) || compare(a.cwd, b.cwd));
  const [first] = sorted;
  if (!first) return undefined;
  const reading = collectTests(
    sorted.flatMap(({ tests }) => tests),
    tops,
  );
  return { ...reading, total: sumTally(reading), source: first.runner, asked: true };
}

/** Returns whether files failed to load and no other test exists: the tests did not fail, they never ran. */
export function isNothingCollected({ total, uncollected = [] }: TestCounts): boolean {
  return uncollected.length > 0 && uncollected.length === total;
}

function sumTally({ passed, failed, skipped }: Reading): number {
  return passed + failed + skipped;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
