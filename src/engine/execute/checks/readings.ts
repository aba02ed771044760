import { type ChangedText, parseFindings } from "../../core/evidence/parses.ts";
import { readAskedReport } from "../../core/evidence/reports/asked.ts";
import { guardFindings, type TamperQuestion, weakenedFindings } from "../../core/evidence/tamper.ts";
import { type ReportKind, readTestReport } from "../../core/evidence/test-report.ts";

type Printed = { readonly text: string; readonly kind?: ReportKind; readonly tops: readonly string[] };

/** What is read on a thread of its own. Questions and answers are plain data. */
export const READINGS = {
  changes: (question: TamperQuestion & { readonly changes: readonly ChangedText[] }) => ({
    guarded: guardFindings(question),
    suspected: weakenedFindings(question),
    unparsed: parseFindings(question.changes),
  }),
  askedReport: (text: string) => readAskedReport(text),
  testReport: ({ text, ...reader }: Printed) => readTestReport(text, reader),
  /** Never comes to an end: for tests of who waits for it. */
  endless: (): never => {
    for (;;);
  },
} as const;

export type Readings = typeof READINGS;
export type ReadingName = keyof Readings;
