import { halvesText, newOnOldText, unsat } from "../../core/checks/exam/sitting-words.ts";
import { becauseOf, countedText, wordOf } from "../../core/checks/outcome/because.ts";
import { preflightNotes } from "../../core/checks/outcome/preflight-notes.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { checkState } from "../../views/page/rows/check-rows.ts";
import { oneLine } from "./clean-text.ts";
import { duration } from "./duration.ts";
import { stateGlyph } from "./glyph.ts";
import type { Paint } from "./paint.ts";

type Evidence = JournalRecord<"evidence.recorded">;
/** A glyph, who or what, how long, and the rest. */
export type Row = readonly [glyph: string, name: string, time: string, detail: string];

/** One result of one check, in the one word that every surface has for it. */
export function checkRow(paint: Paint, record: Evidence): Row {
  const needless = unsat(record);
  if (needless !== undefined) return [stateGlyph(paint, "skipped"), `check ${record.check}`, "", paint.dim(needless)];
  const detail = [
    newOnOldText(record) ?? [wordOf(record), countedText(record.tests)].filter(Boolean).join(", "),
    halvesText(record) || `tree ${record.tree.slice(0, 7)}`,
    record.phase === "baseline" ? "baseline" : `after ${oneLine(record.task, 18) || "all of it"}`,
    oneLine(becauseOf(record), 120),
  ];
  const text = detail.filter(Boolean).join(" · ");
  return [
    stateGlyph(paint, checkState(record)),
    `check ${record.check}`,
    duration(record.ms),
    record.passed ? paint.dim(text) : text,
  ];
}

type Preflight = {
  readonly started: JournalRecord<"run.started"> | undefined;
  readonly step: JournalRecord<"step.started">;
};

/** Said while it runs: nothing else is heard until all of it has ended. */
export function preflightBegins(paint: Paint, { started }: Preflight): readonly Row[] {
  const { commands = [], setup, base } = started ?? {};
  const names = [...(setup ? ["set-up"] : []), ...commands.map(({ name }) => name)];
  const where = `on a clean checkout of ${base?.commit.slice(0, 10) ?? ""}`;
  return [[stateGlyph(paint, "running"), names.join(", "), "", paint.dim(`${where}, before anything is dispatched`)]];
}

/** What it found: nothing is compared yet, so a red command is one that was red before the work. */
export function preflightEnds(
  paint: Paint,
  { started, step, evidence, at }: Preflight & { readonly evidence: readonly Evidence[]; readonly at: number },
): readonly Row[] {
  const worked = evidence.reduce((sum, { ms }) => sum + ms, 0);
  // One part of it is enough: what the others have prepared still runs.
  const failed = evidence.find(isUnprepared);
  // The rest of the time went into the checkout and its set-up.
  const prepared = duration(failed ? failed.ms : Math.max(0, at - step.ts - worked));
  const glyph = stateGlyph(paint, failed ? "failed" : "passed");
  const why = failed ? paint.red(oneLine(failed.notRun ?? "", 240)) : oneLine(started?.setup?.run ?? "", 80);
  const setup: readonly Row[] = started?.setup ? [[glyph, "set-up", prepared, why]] : [];
  return [...setup, ...evidence.map((record) => foundRow(paint, record))];
}

const isUnprepared = ({ notRun }: Evidence): boolean => notRun?.startsWith("the set-up failed") === true;

/** As much as a narrow column has room for: what to do about it is said below, in full. */
const BECAUSE = 60;

function foundRow(paint: Paint, record: Evidence): Row {
  if (isUnprepared(record))
    return [stateGlyph(paint, "not-run"), record.check, "", paint.red("could not run: the set-up failed")];
  const word = wordOf(record);
  const [state, colour] =
    word === "passed"
      ? ["passed", paint.dim]
      : word === "not-run"
        ? ["could not run", paint.red]
        : ["red before", paint.yellow];
  const because = oneLine(becauseOf(record), BECAUSE);
  const counted = [state, countedText(record.tests)].filter(Boolean).join(", ");
  return [
    stateGlyph(paint, checkState(record)),
    record.check,
    duration(record.ms),
    colour(because ? `${counted}: ${because}` : counted),
  ];
}

/** What the preflight means for the end, each with its cure. */
export function preflightNoteLines(paint: Paint, evidence: readonly Evidence[]): readonly string[] {
  return preflightNotes(evidence).flatMap(({ says, cure }) => [
    `  ${paint.yellow("!")} ${oneLine(says, 240)}`,
    `    ${paint.dim(cure)}`,
  ]);
}
