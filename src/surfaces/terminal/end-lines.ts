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

const NO_PRESENCE = { owned: false, answered: new Set<string>() };

/** Formats the summary of an ended or suspended run: the reason, the results and the next commands. */
export function endLines(paint: Paint, view: RunView, startedWith: readonly string[]): string[] {
  const { end } = view;
  if (!end) return [];
  const good = end.exit === 0;
  const standing = runStateOf(view, { ...NO_PRESENCE, startedWith });
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
    ...formatReasonLines(end, standing.because),
    ...formatGateSummary(view),
    ...(costText(view.spent) === "" ? [] : [`  cost: ${costText(view.spent)}`]),
    ...view.caveats.map((caveat) => `  ${paint.yellow("caveat:")} ${oneLine(caveat, 600)}`),
    ...(first ? [`  next: ${paint.cyan(first)}`] : []),
    ...more.map((line) => `        ${paint.cyan(line)}`),
    paint.dim(`  orchestration: 0 tokens, ${Math.round(view.orchestrationMs)} ms`),
  ];
}

/** Lists the errors of a report one per line, because each refers to its own place. */
function formatReasonLines(end: NonNullable<RunView["end"]>, because: string): string[] {
  const parsed = end.type === "run.finished" ? ErrorReport.safeParse(end.report) : undefined;
  const errors = parsed?.success ? parsed.data.errors : [];
  if (errors.length < 2) return [`  because: ${oneLine(because, 600)}`];
  return [`  because: ${errors.length} errors`, ...errors.map((error) => `    ${oneLine(error, 300)}`)];
}

const ErrorReport = z.object({ errors: z.array(z.string()) });

/** Counts the latest gate decisions, and how often gates were evaluated if that differs. */
function formatGateSummary(view: RunView): string[] {
  const standing = standingDecisions(view);
  if (standing.length === 0) return [];
  const missed = standing.filter(({ passed }) => !passed).length;
  const facts = [
    `${standing.length - missed} passed${missed > 0 ? `, ${missed} missed` : ""}`,
    standing.length === view.gates.length ? "" : `${view.gates.length} evaluations`,
    view.spent.retries === 0 ? "" : counted(view.spent.retries, "retry", "retries"),
  ];
  return [`  gates: ${facts.filter(Boolean).join(" · ")}`];
}
