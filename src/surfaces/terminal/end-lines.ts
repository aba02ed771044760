import { z } from "zod";
import type { JournalRecord } from "../../core/record.ts";
import { oneLine } from "./clean-text.ts";
import { duration } from "./duration.ts";
import type { Paint } from "./paint.ts";
import { viewOf } from "./run-view.ts";
import { standingOf } from "./standing.ts";

const NOBODY = { owned: false, answered: new Set<string>() };

/** The last words about a run: how it ended or why it waits, what it made, and what to do next. */
export function endLines(paint: Paint, records: readonly JournalRecord[]): string[] {
  const view = viewOf(records, []);
  const { end } = view;
  if (!end) return [];
  const good = end.exit === 0;
  const glyph = good ? paint.green("✓") : end.type === "run.suspended" ? paint.yellow("◆") : paint.red("✗");
  const facts = [
    duration(view.lastAt - view.startedAt),
    `${view.spent.dispatches} ${view.spent.dispatches === 1 ? "dispatch" : "dispatches"}`,
    end.type === "run.finished" && end.confidence ? `confidence ${end.confidence}` : "",
    good ? "" : `exit ${end.exit}`,
  ];
  const standing = standingOf(view, NOBODY);
  const [first = "", ...more] = standing.next;
  return [
    "",
    `${glyph} ${paint.bold(end.status)}  ${view.pipeline}  ${view.run}  ${paint.dim(facts.filter(Boolean).join(" · "))}`,
    ...becauseLines(end, standing.because),
    ...gateLine(records),
    ...view.caveats.map((caveat) => `  ${paint.yellow("caveat:")} ${oneLine(caveat, 600)}`),
    ...(first ? [`  next: ${paint.cyan(first)}`] : []),
    ...more.map((line) => `        ${paint.cyan(line)}`),
    paint.dim(`  orchestration: 0 tokens, ${Math.round(view.orchestrationMs)} ms`),
  ];
}

/** A report with a list of errors is read line by line, each with its own place. */
function becauseLines(end: NonNullable<ReturnType<typeof viewOf>["end"]>, because: string): string[] {
  const parsed = end.type === "run.finished" ? Errors.safeParse(end.report) : undefined;
  const errors = parsed?.success ? parsed.data.errors : [];
  if (errors.length < 2) return [`  because: ${oneLine(because, 600)}`];
  return [`  because: ${errors.length} errors`, ...errors.map((error) => `    ${oneLine(error, 300)}`)];
}

const Errors = z.object({ errors: z.array(z.string()) });

function gateLine(records: readonly JournalRecord[]): string[] {
  const gates = new Map<string, boolean>();
  for (const record of records) {
    if (record.type === "gate.evaluated") gates.set(record.key, (gates.get(record.key) ?? true) && record.passed);
  }
  if (gates.size === 0) return [];
  const missed = [...gates.values()].filter((passed) => !passed).length;
  return [`  gates: ${gates.size - missed} passed${missed > 0 ? `, ${missed} missed` : ""}${retriesOf(records)}`];
}

function retriesOf(records: readonly JournalRecord[]): string {
  const count = records.filter((record) => record.type === "agent.retried").length;
  return count === 0 ? "" : ` · ${count} ${count === 1 ? "retry" : "retries"}`;
}
