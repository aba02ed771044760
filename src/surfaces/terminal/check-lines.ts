import { explainSkippedExam, formatHalves, formatNewOnOld } from "../../core/checks/exam/exam-run-words.ts";
import { explainCheck, formatTestCounts, getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import { createPreflightNotes } from "../../core/checks/outcome/preflight-notes.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { toCheckState } from "../../views/page/rows/check-rows.ts";
import { toOneLine } from "./clean-text.ts";
import { formatDuration } from "./duration.ts";
import { renderStateGlyph } from "./glyph.ts";
import type { Paint } from "./paint.ts";

type Evidence = JournalRecord<"evidence.recorded">;
/** The cells of one line: glyph, name, duration and detail. */
export type RowCells = readonly [glyph: string, name: string, time: string, detail: string];

/** Formats one check result with the outcome word that all surfaces use. */
export function formatCheckRow(paint: Paint, record: Evidence): RowCells {
  const needless = explainSkippedExam(record);
  if (needless !== undefined)
    return [renderStateGlyph(paint, "skipped"), `check ${record.check}`, "", paint.dim(needless)];
  const detail = [
    formatNewOnOld(record) ?? [getOutcomeWord(record), formatTestCounts(record.tests)].filter(Boolean).join(", "),
    formatHalves(record) || `tree ${record.tree.slice(0, 7)}`,
    record.phase === "baseline" ? "baseline" : `after ${toOneLine(record.task, 18) || "everything"}`,
    toOneLine(explainCheck(record), 120),
  ];
  const text = detail.filter(Boolean).join(" · ");
  return [
    renderStateGlyph(paint, toCheckState(record)),
    `check ${record.check}`,
    formatDuration(record.ms),
    record.passed ? paint.dim(text) : text,
  ];
}

type PreflightStart = {
  readonly started: JournalRecord<"run.started"> | undefined;
  readonly step: JournalRecord<"step.started">;
};

/** Formats the start of the preflight, which prints nothing else until all of it has ended. */
export function formatPreflightStart(paint: Paint, { started }: PreflightStart): readonly RowCells[] {
  const { commands = [], setup, base } = started ?? {};
  const names = [...(setup ? ["set-up"] : []), ...commands.map(({ name }) => name)];
  const where = `on a clean checkout of ${base?.commit.slice(0, 10) ?? ""}`;
  return [[renderStateGlyph(paint, "running"), names.join(", "), "", paint.dim(`${where}, before the first dispatch`)]];
}

/**
 * Formats the results of the preflight. There is nothing to compare with yet, so a failing command was red before the
 * work.
 */
export function formatPreflightEnd(
  paint: Paint,
  { started, step, evidence, at }: PreflightStart & { readonly evidence: readonly Evidence[]; readonly at: number },
): readonly RowCells[] {
  const worked = evidence.reduce((sum, { ms }) => sum + ms, 0);
  // One failed part is enough to mark the set-up as failed; the commands that the other parts prepared still run.
  const failed = evidence.find(isSetupFailure);
  // The remaining time was spent on the checkout and its set-up.
  const prepared = formatDuration(failed ? failed.ms : Math.max(0, at - step.ts - worked));
  const glyph = renderStateGlyph(paint, failed ? "failed" : "passed");
  const why = failed ? paint.red(toOneLine(failed.notRun ?? "", 240)) : toOneLine(started?.setup?.run ?? "", 80);
  const setup: readonly RowCells[] = started?.setup ? [[glyph, "set-up", prepared, why]] : [];
  return [...setup, ...evidence.map((record) => formatBaselineRow(paint, record))];
}

const isSetupFailure = ({ notRun }: Evidence): boolean => notRun?.startsWith("the set-up failed") === true;

/** Maximum length of a reason in this narrow column. The note below has the full text and the fix. */
const MAX_BECAUSE = 60;

function formatBaselineRow(paint: Paint, record: Evidence): RowCells {
  if (isSetupFailure(record))
    return [renderStateGlyph(paint, "not-run"), record.check, "", paint.red("could not run: set-up failed")];
  const word = getOutcomeWord(record);
  const [state, color] =
    word === "passed"
      ? ["passed", paint.dim]
      : word === "not-run"
        ? ["could not run", paint.red]
        : ["red before", paint.yellow];
  const because = toOneLine(explainCheck(record), MAX_BECAUSE);
  const counted = [state, formatTestCounts(record.tests)].filter(Boolean).join(", ");
  return [
    renderStateGlyph(paint, toCheckState(record)),
    record.check,
    formatDuration(record.ms),
    color(because ? `${counted}: ${because}` : counted),
  ];
}

/** Formats what the preflight results mean for the end of the run, each with its fix. */
export function formatPreflightNotes(paint: Paint, evidence: readonly Evidence[]): readonly string[] {
  return createPreflightNotes(evidence).flatMap(({ says, cure }) => [
    `  ${paint.yellow("!")} ${toOneLine(says, 240)}`,
    `    ${paint.dim(cure)}`,
  ]);
}
