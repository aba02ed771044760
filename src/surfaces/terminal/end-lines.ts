import { z } from "zod";
import { counted } from "../../core/text/count.ts";
import { selectLatestDecisions } from "../../views/gates.ts";
import { resolveRunState } from "../../views/page/head/run-state.ts";
import { formatCost } from "../../views/role-cost.ts";
import type { RunView } from "../../views/run-view.ts";
import { toOneLine } from "./clean-text.ts";
import { formatDuration } from "./duration.ts";
import { renderStateGlyph } from "./glyph.ts";
import type { Paint } from "./paint.ts";

const NO_PRESENCE = { owned: false, answered: new Set<string>() };

/** Formats the summary of an ended or suspended run: the reason, the results and the next commands. */
export function formatEndLines(paint: Paint, view: RunView, startedWith: readonly string[]): string[] {
  const { end } = view;
  if (!end) return [];
  const good = end.exit === 0;
  const standing = resolveRunState(view, { ...NO_PRESENCE, startedWith });
  const facts = [
    formatDuration(view.lastAt - view.startedAt),
    counted(view.spent.attempts, "dispatch", "dispatches"),
    end.type === "run.finished" && end.confidence ? `confidence ${end.confidence}` : "",
    good ? "" : `exit ${end.exit}`,
  ];
  const [first = "", ...more] = standing.next;
  return [
    "",
    `${renderStateGlyph(paint, standing.state)} ${paint.bold(end.status)}  ${view.pipeline}  ${view.run}  ${paint.dim(facts.filter(Boolean).join(" · "))}`,
    ...formatReasonLines(end, standing.because),
    ...formatGateSummary(view),
    ...(formatCost(view.spent) === "" ? [] : [`  cost: ${formatCost(view.spent)}`]),
    ...view.caveats.map((caveat) => `  ${paint.yellow("caveat:")} ${toOneLine(caveat, 600)}`),
    ...(first ? [`  next: ${paint.cyan(first)}`] : []),
    ...more.map((line) => `        ${paint.cyan(line)}`),
    paint.dim(`  orchestration: 0 tokens, ${Math.round(view.orchestrationMs)} ms`),
  ];
}

/** Lists the errors of a report one per line, because each refers to its own place. */
function formatReasonLines(end: NonNullable<RunView["end"]>, because: string): string[] {
  const parsed = end.type === "run.finished" ? ErrorReport.safeParse(end.report) : undefined;
  const errors = parsed?.success ? parsed.data.errors : [];
  if (errors.length < 2) return [`  reason: ${toOneLine(because, 600)}`];
  return [`  reason: ${errors.length} errors`, ...errors.map((error) => `    ${toOneLine(error, 300)}`)];
}

const ErrorReport = z.object({ errors: z.array(z.string()) });

/** Counts the latest gate decisions, and how often gates were evaluated if that differs. */
function formatGateSummary(view: RunView): string[] {
  const standing = selectLatestDecisions(view);
  if (standing.length === 0) return [];
  const missed = standing.filter(({ passed }) => !passed).length;
  const facts = [
    `${standing.length - missed} passed${missed > 0 ? `, ${missed} missed` : ""}`,
    standing.length === view.gates.length ? "" : `${view.gates.length} evaluations`,
    view.spent.retries === 0 ? "" : counted(view.spent.retries, "retry", "retries"),
  ];
  return [`  gates: ${facts.filter(Boolean).join(" · ")}`];
}
