import type { JournalRecord } from "../../core/journal/record.ts";
import { counted } from "../../core/text/count.ts";
import { toOneLine } from "./clean-text.ts";
import type { Paint } from "./paint.ts";
import { formatQuestionText } from "./render-value.ts";

const MAX_SHOWN_LINES = 14;

type QuestionRecord = Pick<
  JournalRecord<"approval.requested">,
  "run" | "approval" | "title" | "show" | "brief" | "choices" | "paths" | "tree"
>;

/** Formats a question with its content and its choices. */
export function formatQuestionLines(paint: Paint, asked: QuestionRecord): string[] {
  return [
    `${paint.yellow("◆")} ${paint.bold(toOneLine(asked.title))}  ${paint.dim(asked.approval)}`,
    ...formatQuestionContent(asked, MAX_SHOWN_LINES).map((line) => `    ${line}`),
    `    ${asked.choices.map((choice) => paint.cyan(toOneLine(choice))).join(" · ")}`,
  ];
}

/**
 * Formats the content of a question up to `most` lines, the files it is about, and the commands that display the rest.
 */
export function formatQuestionContent(asked: Omit<QuestionRecord, "title" | "choices">, most: number): string[] {
  const { run, approval, paths = [], tree } = asked;
  const all = formatQuestionText(asked);
  const shown = all.length > most ? [...all.slice(0, most - 1), `… ${all.length - most + 1} more lines`] : all;
  const whole = all.length > most || paths.length > 0 ? [`show all: signalbox inbox ${approval}`] : [];
  const files = paths.slice(0, most).map((path) => `about file ${toOneLine(path)}`);
  const left = paths.length > most ? [`… and ${counted(paths.length - most, "more file")}`] : [];
  const work = tree === undefined ? [] : [`show the work: signalbox diff ${run} --unaccepted`];
  return [...shown, ...files, ...left, ...whole, ...work];
}
