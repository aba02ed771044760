import type { JournalRecord } from "../../core/journal/record.ts";
import { counted } from "../../core/text/counted.ts";
import { oneLine } from "./clean-text.ts";
import type { Paint } from "./paint.ts";
import { readLines } from "./render-value.ts";

const SHOWN_LINES = 14;

type Asked = Pick<
  JournalRecord<"approval.requested">,
  "run" | "approval" | "title" | "show" | "brief" | "choices" | "paths" | "tree"
>;

/** A question with what it shows and what may be answered. */
export function questionLines(paint: Paint, asked: Asked): string[] {
  return [
    `${paint.yellow("◆")} ${paint.bold(oneLine(asked.title))}  ${paint.dim(asked.approval)}`,
    ...aboutLines(asked, SHOWN_LINES).map((line) => `    ${line}`),
    `    ${asked.choices.map((choice) => paint.cyan(oneLine(choice))).join(" · ")}`,
  ];
}

/** What it shows, as far as there is room, the files that it is about, and the lines that have all of it. */
export function aboutLines(asked: Omit<Asked, "title" | "choices">, most: number): string[] {
  const { run, approval, paths = [], tree } = asked;
  const all = readLines(asked);
  const shown = all.length > most ? [...all.slice(0, most - 1), `… ${all.length - most + 1} more lines`] : all;
  const whole = all.length > most || paths.length > 0 ? [`all of it: signalbox inbox ${approval}`] : [];
  const files = paths.slice(0, most).map((path) => `about ${oneLine(path)}`);
  const left = paths.length > most ? [`… and ${counted(paths.length - most, "more file")}`] : [];
  const work = tree === undefined ? [] : [`the work that it is about: signalbox diff ${run} --unaccepted`];
  return [...shown, ...files, ...left, ...whole, ...work];
}
