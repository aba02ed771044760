import { readGo } from "./reports/go.ts";
import { readJUnit } from "./reports/junit.ts";
import { readCargo, readPytest, readSummary } from "./reports/summary-lines.ts";
import type { Tally } from "./reports/tally.ts";
import { readTap } from "./reports/tap.ts";
import { readVitest } from "./reports/vitest.ts";

export type TestEnd = keyof Tally;
/** Every test by its name, `file › group › title`; the second of the same name ends in ` #2`. */
export type TestNames = Readonly<Record<string, TestEnd>>;

export type TestCounts = Tally & {
  readonly total: number;
  readonly source: ReportKind;
  /** The engine asked the test program for it and said where to write it; otherwise a test could have printed it. */
  readonly asked?: true;
  /** Absent where a report has only numbers. */
  readonly names?: TestNames;
};

/** In the order in which a text is tried: forms that cannot be mistaken come first. */
const READERS = {
  junit: readJUnit,
  vitest: readVitest,
  go: readGo,
  tap: readTap,
  cargo: readCargo,
  pytest: readPytest,
  summary: readSummary,
} as const;
export type ReportKind = keyof typeof READERS;
// Object.keys gives the names of the object above, which is closed.
export const REPORT_KINDS = Object.keys(READERS) as readonly ReportKind[];

/** Longer reports are not read: counting must not cost more than the tests did. */
const MOST_CHARS = 64 * 1024 * 1024;

/**
 * Test counts from what a test program wrote, or nothing where no known form is found. A report of zero tests
 * is an answer (`total: 0`), so that a program which tests nothing can be told from one that does not count.
 */
export function readTestReport(text: string, kind?: ReportKind): TestCounts | undefined {
  if (text.length > MOST_CHARS) return undefined;
  for (const source of kind ? [kind] : REPORT_KINDS) {
    const tally = READERS[source](text);
    if (tally) return { ...tally, total: tally.passed + tally.failed + tally.skipped, source };
  }
  return undefined;
}
