import type { JournalRecord } from "../../core/record.ts";
import { oneLine } from "./clean-text.ts";
import type { Paint } from "./paint.ts";
import { shownLines } from "./shown.ts";

const SHOWN_LINES = 14;

/** A question with what it shows and what may be answered. */
export function questionLines(paint: Paint, record: JournalRecord<"approval.requested">): string[] {
  return [
    `${paint.yellow("◆")} ${paint.bold(oneLine(record.title))}  ${paint.dim(record.approval)}`,
    ...shownLines(record.show, SHOWN_LINES).map((line) => `    ${line}`),
    `    ${record.choices.map((choice) => paint.cyan(oneLine(choice))).join(" · ")}`,
  ];
}
