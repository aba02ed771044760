import { findGuardedAssertions } from "../../../core/checks/exam/text/guarded-assertions.ts";
import { findHiddenText } from "../../../core/checks/exam/text/hidden-text.ts";
import { findTestAwareCode, type SourceFindings } from "../../../core/checks/exam/text/test-aware-code.ts";
import { type ChangedText, parseFindings } from "../../../core/checks/guard/syntax-check.ts";
import { readRequestedReport } from "../../../core/checks/reports/asked.ts";
import { type ReportKind, readTestReport } from "../../../core/checks/reports/test-report.ts";
import { findLostTests, type LostTests, type LostTestsQuestion } from "../../../core/checks/tamper/lost-tests.ts";
import { guardFindings, type TamperQuestion, weakenedFindings } from "../../../core/checks/tamper/tamper.ts";
import { languageOf, testRank } from "../../../core/checks/tamper/test-language.ts";
import type { TextChange } from "../../../core/checks/tamper/text-change.ts";

type ReportText = { readonly text: string; readonly kind?: ReportKind; readonly tops: readonly string[] };

/** Judges by the texts alone, without the results of tests. */
function listLostAssertions(changes: TamperQuestion["changes"]): readonly string[] {
  const tests = changes.filter(({ path }) => {
    const language = languageOf(path);
    return language !== undefined && testRank(path, language) > 0;
  });
  const { unreplaced, replaced } = findLostTests({ changes: tests, dropped: [], skipped: [], named: [], added: [] });
  return [...unreplaced, ...replaced];
}

/** Functions that run on a thread of their own. Questions and answers are plain data. */
export const READINGS = {
  changes: (question: TamperQuestion & { readonly changes: readonly ChangedText[] }) => ({
    guarded: guardFindings(question),
    suspected: weakenedFindings(question),
    unparsed: parseFindings(question.changes),
    lost: listLostAssertions(question.changes),
  }),
  lostTests: (question: LostTestsQuestion): LostTests => {
    const { unreplaced, replaced } = findLostTests(question);
    return {
      unreplaced: [...unreplaced, ...findHiddenText(question.changes)],
      replaced: [...replaced, ...findGuardedAssertions(question.changes)],
    };
  },
  testAwareCode: (changes: readonly TextChange[]): SourceFindings => {
    const { doubts, caveats } = findTestAwareCode(changes);
    return { doubts: [...doubts, ...findHiddenText(changes)], caveats };
  },
  askedReport: (text: string) => readRequestedReport(text),
  testReport: ({ text, ...reader }: ReportText) => readTestReport(text, reader),
  /** Never ends; for tests of callers that wait. */
  endless: (): never => {
    for (;;);
  },
} as const;

export type Readings = typeof READINGS;
export type ReadingName = keyof Readings;
