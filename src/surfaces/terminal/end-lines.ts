import { z } from "zod";
import { counted } from "../../core/text/counted.ts";
import { standingDecisions } from "../../views/gates.ts";
import { runStateOf } from "../../views/page/head/run-state.ts";
import type { RunView } from "../../views/run-view.ts";
import { costText } from "../../views/spent.ts";
import { oneLine } from "./clean-text.ts";
import { duration } from "./duration.ts";
import { stateGlyph } from "./glyph.ts";
import type { Paint } from "./paint.ts";

const NOBODY = { owned: false, answered: new Set<string>() };

/** The last words about a run: how it ended or why it waits, what it made, and what to do next. */
export function endLines(paint: Paint, view: RunView, startedWith: readonly string[]): string[] {
  const { end } = view;
  if (!end) return [];
  const good = end.exit === 0;
  const standing = runStateOf(view, { ...NOBODY, startedWith });
  const facts = [
    duration(view.lastAt - view.startedAt),
    counted(view.spent.attempts, "dispatch", "dispatches"),
    end.type === "run.finished" && end.confidence ? `confidence ${end.confidence}` : "",
    good ? "" : `exit ${end.exit}`,
  ];
  const [first = "", ...more] = standing.next;
  return [
    "",
    `${stateGlyph(paint, standing.state)} ${paint.bold(end.status)}  ${view.pipeline}  ${view.run}  ${paint.dim(facts.filter(Boolean).join(" · "))}`,
    ...becauseLines(end, standing.because),
    ...gateLine(view),
    ...(costText(view.spent) === "" ? [] : [`  spent: ${costText(view.spent)}`]),
    ...view.caveats.map((caveat) => `  ${paint.yellow("caveat:")} ${oneLine(caveat, 600)}`),
    ...(first ? [`  next: ${paint.cyan(first)}`] : []),
    ...more.map((line) => `        ${paint.cyan(line)}`),
    paint.dim(`  orchestration: 0 tokens, ${Math.round(view.orchestrationMs)} ms`),
  ];
}

/** A report with a list of errors is read line by line, each with its own place. */
function becauseLines(end: NonNullable<RunView["end"]>, because: string): string[] {
  const parsed = end.type === "run.finished" ? Errors.safeParse(end.report) : undefined;
  const errors = parsed?.success ? parsed.data.errors : [];
  if (errors.length < 2) return [`  because: ${oneLine(because, 600)}`];
  return [`  because: ${errors.length} errors`, ...errors.map((error) => `    ${oneLine(error, 300)}`)];
}

const Errors = z.object({ errors: z.array(z.string()) });

/** As they stand in the end; what was judged more than once says so. */
function gateLine(view: RunView): string[] {
  const standing = standingDecisions(view);
  if (standing.length === 0) return [];
  const missed = standing.filter(({ passed }) => !passed).length;
  const facts = [
    `${standing.length - missed} passed${missed > 0 ? `, ${missed} missed` : ""}`,
    standing.length === view.gates.length ? "" : `judged ${view.gates.length} times`,
    view.spent.retries === 0 ? "" : counted(view.spent.retries, "retry", "retries"),
  ];
  return [`  gates: ${facts.filter(Boolean).join(" · ")}`];
}
