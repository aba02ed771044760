import { type ChangedText, parseFindings } from "../../../core/checks/guard/syntax-check.ts";
import { readRequestedReport } from "../../../core/checks/reports/asked.ts";
import { type ReportKind, readTestReport } from "../../../core/checks/reports/test-report.ts";
import { guardFindings, type TamperQuestion, weakenedFindings } from "../../../core/checks/tamper/tamper.ts";

type ReportText = { readonly text: string; readonly kind?: ReportKind; readonly tops: readonly string[] };

/** What is read on a thread of its own. Questions and answers are plain data. */
export const READINGS = {
  changes: (question: TamperQuestion & { readonly changes: readonly ChangedText[] }) => ({
    guarded: guardFindings(question),
    suspected: weakenedFindings(question),
    unparsed: parseFindings(question.changes),
  }),
  askedReport: (text: string) => readRequestedReport(text),
  testReport: ({ text, ...reader }: ReportText) => readTestReport(text, reader),
  /** Never comes to an end: for tests of who waits for it. */
  endless: (): never => {
    for (;;);
  },
} as const;

export type Readings = typeof READINGS;
export type ReadingName = keyof Readings;
