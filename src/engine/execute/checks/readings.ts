import { findGuardedAssertions } from "../../../core/checks/exam/text/guarded-assertions.ts";
import { findHiddenText } from "../../../core/checks/exam/text/hidden-text.ts";
import { findTestAwareCode, type SourceFindings } from "../../../core/checks/exam/text/test-aware-code.ts";
import { type ChangedText, checkSyntax } from "../../../core/checks/guard/syntax-check.ts";
import { readRequestedReport } from "../../../core/checks/reports/requested-report.ts";
import { type ReportKind, readTestReport } from "../../../core/checks/reports/test-report.ts";
import { findLostTests, type LostTests, type LostTestsRequest } from "../../../core/checks/tamper/lost-tests.ts";
import { findGuardedChanges, findWeakened, type TamperInput } from "../../../core/checks/tamper/tamper.ts";
import { getTestLanguage, rankTestFile } from "../../../core/checks/tamper/test-language.ts";
import type { TextChange } from "../../../core/checks/tamper/text-change.ts";

type ReportText = { readonly text: string; readonly kind?: ReportKind; readonly tops: readonly string[] };

/** Judges by the texts alone, without the results of tests. */
function listLostAssertions(changes: TamperInput["changes"]): readonly string[] {
  const tests = changes.filter(({ path }) => {
    const language = getTestLanguage(path);
    return language !== undefined && rankTestFile(path, language) > 0;
  });
  const { unreplaced, replaced } = findLostTests({ changes: tests, dropped: [], skipped: [], named: [], added: [] });
  return [...unreplaced, ...replaced];
}

/** Functions that run on a thread of their own. Questions and answers are plain data. */
export const READINGS = {
  changes: (question: TamperInput & { readonly changes: readonly ChangedText[] }) => ({
    guarded: findGuardedChanges(question),
    suspected: findWeakened(question),
    unparsed: checkSyntax(question.changes),
    lost: listLostAssertions(question.changes),
  }),
  lostTests: (question: LostTestsRequest): LostTests => {
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
