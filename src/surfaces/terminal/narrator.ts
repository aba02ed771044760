import { isQuotaFailure } from "../../core/budget/quota.ts";
import { isFilelessPattern } from "../../core/checks/exam/test-name.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { counted } from "../../core/text/count.ts";
import { formatAgentName } from "../../views/agent-name.ts";
import { formatInterruption } from "../../views/attempts.ts";
import { decodeStepName } from "../../views/own-steps.ts";
import { formatUsage } from "../../views/role-cost.ts";
import { getInnermostRound } from "../../views/rounds.ts";
import type { RunView } from "../../views/run-view.ts";
import {
  formatCheckRow,
  formatPreflightEnd,
  formatPreflightNotes,
  formatPreflightStart,
  type RowCells,
} from "./check-lines.ts";
import { toOneLine } from "./clean-text.ts";
import { formatClock, formatDuration, formatTime } from "./duration.ts";
import { formatEndLines } from "./end-lines.ts";
import { formatGateEvaluation } from "./gate-lines.ts";
import { renderStateGlyph } from "./glyph.ts";
import { addRecord, createNarratorState, dropEndedStep, isPreflight, type NarratorState } from "./narrator-state.ts";
import type { Paint } from "./paint.ts";
import { formatQuestionLines } from "./question-lines.ts";

const NAME_WIDTH = 28;
const TIME_WIDTH = 7;

export type Narrator = {
  /** Returns the lines to print for the record. */
  tell(record: JournalRecord): string[];
  /** Adds a record without printing. Used for records from before a resume. */
  recall(record: JournalRecord): void;
  /** Returns the view of all records so far. */
  view(): RunView;
};

/** Converts the events of a run to log lines. */
export function createNarrator(paint: Paint, startedWith: readonly string[] = []): Narrator {
  const memory = createNarratorState(paint, startedWith);
  return {
    view: () => memory.view.view(),
    recall(record) {
      addRecord(memory, record);
      dropEndedStep(memory, record);
    },
    tell(record) {
      addRecord(memory, record);
      const lines = formatRecordLines(memory, record);
      dropEndedStep(memory, record);
      return lines;
    },
  };
}

function formatRecordLines(memory: NarratorState, record: JournalRecord): string[] {
  const lines = formatRecord(memory, record);
  if (lines.length === 0 || UNSTAMPED.has(record.type)) return lines;
  const stamped = stamp(memory, record, lines);
  return [...formatHeading(memory, record), ...stamped];
}

/** Record types printed without time and heading. */
const UNSTAMPED: ReadonlySet<string> = new Set(["run.started", "run.suspended", "run.finished"]);

function stamp(memory: NarratorState, record: JournalRecord, lines: readonly string[]): string[] {
  const begun = memory.first?.ts ?? record.ts;
  const at = formatClock(record.ts - begun).padStart(6);
  return lines.map((line, index) => (index === 0 ? `${memory.paint.dim(at)}  ${line}` : `        ${line}`));
}

function formatHeading(memory: NarratorState, record: JournalRecord): string[] {
  if (!("key" in record)) return [];
  const phase = record.type === "phase.skipped" ? undefined : memory.steps.get(record.key)?.phase;
  if (phase === undefined) return [];
  const round = "round" in record && record.round > 1 ? record.round : getInnermostRound(record.key);
  const heading = round > 1 ? `${phase} · round ${round}` : phase;
  if (heading === memory.heading) return [];
  memory.heading = heading;
  return [`        ${memory.paint.bold(toOneLine(heading))}`];
}

function formatRecord(memory: NarratorState, record: JournalRecord): string[] {
  const { paint } = memory;
  switch (record.type) {
    case "run.started":
      return formatRunHeader(paint, record);
    case "engine.started":
      return formatTakeover(memory, record);
    case "run.resumed":
      return [
        `${paint.cyan("▸")} resumed by ${toOneLine(record.by)}${record.note ? `: ${toOneLine(record.note)}` : ""}`,
      ];
    case "letter.dropped":
      return [
        paint.yellow(`! the ${toOneLine(record.of)} by ${toOneLine(record.by)} was ignored: ${toOneLine(record.why)}`),
      ];
    case "agent.started":
      return [
        formatRow(renderStateGlyph(paint, "running"), formatAgentName(record), "", paint.dim(formatStart(record))),
      ];
    case "agent.finished":
      return formatAgentEnd(paint, record);
    case "agent.retried":
      return [formatRow(renderStateGlyph(paint, "retrying"), formatAgentName(record), "", formatRetry(memory, record))];
    case "evidence.recorded":
      return formatCheck(memory, record);
    case "approval.requested":
      return formatQuestion(memory, record);
    case "approval.decided":
      return formatAnswer(memory, record);
    case "phase.skipped":
      return [
        `${renderStateGlyph(paint, "skipped")} ${toOneLine(record.title)} ${paint.dim(`skipped: ${toOneLine(record.reason)}`)}`,
      ];
    case "step.started":
      if (record.verb === "act")
        return [formatRow(renderStateGlyph(paint, "running"), decodeStepName(record.key), "", paint.dim(OWN))];
      return isPreflight(record) ? formatPreflightStart(paint, getPreflight(memory, record)).map(formatCells) : [];
    case "step.finished":
      return formatStepEnd(memory, record);
    case "run.suspended":
    case "run.finished":
      return formatEndLines(paint, memory.view.view(), memory.startFlags);
    default:
      return [];
  }
}

function formatRow(glyph: string, name: string, time: string, detail: string): string {
  return `${glyph} ${toOneLine(name, NAME_WIDTH).padEnd(NAME_WIDTH)} ${time.padStart(TIME_WIDTH)}  ${detail}`.trimEnd();
}

const formatCells = (cells: RowCells): string => formatRow(...cells);

function formatRunHeader(paint: Paint, record: JournalRecord<"run.started">): string[] {
  const commands = record.commands.map((command) => command.name).join(", ") || "none";
  return [
    `${paint.bold(record.pipeline)} v${record.version} · run ${paint.bold(record.run)}`,
    paint.dim(
      `approvals ${record.approvals} · checks ${toOneLine(commands)} · from ${record.base.commit.slice(0, 10)}`,
    ),
    "",
  ];
}

function formatTakeover(memory: NarratorState, record: JournalRecord<"engine.started">): string[] {
  if (memory.engines < 2) return [];
  const engine = formatEngine(record.owner);
  const lost = memory.lostOwner === undefined ? "" : `engine ${formatEngine(memory.lostOwner)} died; `;
  const reused = counted(memory.ended, "recorded step");
  return [`${memory.paint.cyan("▸")} ${lost}taken over by engine ${engine}: reusing ${reused}`];
}

const formatEngine = (owner: string): string => toOneLine(owner.split(":").slice(0, 2).join(":"));

function formatStart({ attempt, continues }: JournalRecord<"agent.started">): string {
  if (continues !== undefined) return `${formatAttempt(attempt)} · continues the interrupted attempt`;
  return formatAttempt(attempt) || "started";
}

const formatAttempt = (attempt: number): string => (attempt > 1 ? `attempt ${attempt}` : "");
function formatRetry({ attempts }: NarratorState, record: JournalRecord<"agent.retried">): string {
  const { key, waitMs, attempt, because, instead, ts } = record;
  const again = `retrying ${formatDelay(waitMs)}, attempt ${attempt}`;
  if (!isQuotaFailure(because)) return again;
  const other = waitMs === 0 && instead !== undefined ? attempts.get(key)?.instead : undefined;
  if (other !== undefined) return `using ${toOneLine(other)} instead, attempt ${attempt}`;
  return waitMs === 0 ? again : `waits until ${formatTime(ts + waitMs, ts)} for its usage limit, attempt ${attempt}`;
}

const formatDelay = (ms: number): string => (ms === 0 ? "now" : `in ${formatDuration(ms)}`);

function formatAgentEnd(paint: Paint, record: JournalRecord<"agent.finished">): string[] {
  const name = formatAgentName(record);
  const time = record.ms === undefined ? "" : formatDuration(record.ms);
  if (record.outcome === "interrupted") {
    const why = `${record.orderly ? "stopped" : "interrupted"}: ${toOneLine(formatInterruption(record))}`;
    return [formatRow(renderStateGlyph(paint, "interrupted"), name, time, why)];
  }
  if (record.failure) {
    const { class: kind, message } = record.failure;
    const kept = record.kept === undefined ? "" : " · its work is saved";
    return [
      formatRow(renderStateGlyph(paint, "failed"), name, time, paint.red(`${kind}: ${toOneLine(message, 300)}`) + kept),
    ];
  }
  const outside = record.outside?.length ? `${formatFileCount(record.outside.length)} outside its task ignored` : "";
  const details = [
    formatAttempt(record.attempt),
    record.changed?.length ? `changed ${toOneLine(record.changed.join(", "), 60)}` : "",
    outside && paint.yellow(outside),
    record.adopted ? paint.cyan("adopted: finished without an engine") : "",
    formatUsage(record.usage),
  ];
  return [
    formatRow(
      renderStateGlyph(paint, "answered"),
      name,
      record.adopted ? "" : time,
      details.filter(Boolean).join(" · "),
    ),
  ];
}

const formatFileCount = (count: number): string => counted(count, "file");

function formatCheck(memory: NarratorState, record: JournalRecord<"evidence.recorded">): string[] {
  // An exam has several results under one name, one per command.
  const result = `${record.tree} ${record.check} ${record.halves ? record.command : ""}`;
  if (memory.printedResults.has(result)) return [];
  memory.printedResults.add(result);
  const step = memory.steps.get(record.key);
  // Preflight results are printed together at its end.
  return step && isPreflight(step) ? [] : [formatCells(formatCheckRow(memory.paint, record))];
}

function getPreflight({ first }: NarratorState, step: JournalRecord<"step.started">) {
  return { started: first?.type === "run.started" ? first : undefined, step };
}

function formatQuestion(memory: NarratorState, record: JournalRecord<"approval.requested">): string[] {
  const automatic = memory.first?.type === "run.started" && memory.first.approvals === "autonomous";
  if (automatic && record.auto !== "never") return [];
  return formatQuestionLines(memory.paint, record);
}

function formatAnswer(memory: NarratorState, record: JournalRecord<"approval.decided">): string[] {
  const { paint } = memory;
  const title = memory.questions.get(record.approval)?.title ?? record.approval;
  const note = record.note ? paint.dim(` “${toOneLine(record.note)}”`) : "";
  return [
    `${renderStateGlyph(paint, "answered")} ${toOneLine(title)} ${paint.bold(toOneLine(record.choice))} by ${toOneLine(record.by)}${note}`,
  ];
}

function formatStepEnd(memory: NarratorState, record: JournalRecord<"step.finished">): string[] {
  const step = memory.steps.get(record.key);
  const verb = step?.verb;
  if (step && isPreflight(step)) {
    const evidence = memory.preflight.filter(({ key }) => key === record.key);
    const rows = formatPreflightEnd(memory.paint, { ...getPreflight(memory, step), evidence, at: record.ts });
    return [...rows.map(formatCells), ...formatPreflightNotes(memory.paint, evidence)];
  }
  if (step && verb === "act") return formatOwnStep(memory, step, record);
  if (verb === "announce" && record.value) return formatAnnouncement(memory, record.value);
  if (verb === "gate") return formatGate(memory, record);
  if (verb === "commit" && record.value) return formatCommit(memory, record.value);
  if (verb === "merge" && record.value) return formatConflict(memory, record.value);
  return [];
}

const OWN = "a step of the pipeline";

function formatOwnStep(
  { paint }: NarratorState,
  step: JournalRecord<"step.started">,
  { failure, value, ts }: JournalRecord<"step.finished">,
): string[] {
  const time = formatDuration(ts - step.ts);
  if (failure)
    return [
      formatRow(
        renderStateGlyph(paint, "failed"),
        decodeStepName(step.key),
        time,
        paint.red(`${OWN}: ${toOneLine(failure.message, 300)}`),
      ),
    ];
  const result = value === undefined ? "" : paint.dim(`reported ${toOneLine(JSON.stringify(value), 60)}`);
  return [formatRow(renderStateGlyph(paint, "ended"), decodeStepName(step.key), time, result)];
}

type AnnounceResult = {
  readonly announced?: readonly unknown[];
  readonly unknown?: readonly string[];
  readonly excuses?: readonly string[];
};

function formatAnnouncement({ paint }: NarratorState, value: unknown): string[] {
  // The cast holds because the verb records this value. Older runs recorded only the list.
  const { announced: changes, unknown = [], excuses = [] } = value as AnnounceResult;
  if (changes?.length === 0) return [];
  const missing = unknown.filter((name) => !isFilelessPattern(name));
  const names = missing.map((name) => `"${toOneLine(name, 60)}"`).join(", ");
  const says =
    missing.length === 0
      ? "behavior changes declared by the plan"
      : `no baseline test is named ${names}: the declaration has no effect`;
  const glyph = unknown.length === 0 ? renderStateGlyph(paint, "ended") : paint.yellow("!");
  return [
    formatRow(glyph, "declared", "", says),
    ...excuses.map((line) => formatRow(" ", "", "", toOneLine(line, 400))),
  ];
}

function formatGate({ paint, gates }: NarratorState, { key, value }: JournalRecord<"step.finished">): string[] {
  const { first, more } = formatGateEvaluation(paint, gates.get(key) ?? [], value);
  return [formatCells(first), ...more];
}

function formatCommit({ paint }: NarratorState, value: unknown): string[] {
  // The cast holds because the verb records this value.
  const { commit, branch } = value as { commit: string; branch: string };
  return [formatRow(renderStateGlyph(paint, "ended"), `commit ${commit.slice(0, 10)}`, "", `on ${branch}`)];
}

function formatConflict({ paint }: NarratorState, value: unknown): string[] {
  // The cast holds because the verb records this value.
  const merged = value as { clean: boolean; conflicts?: string[] };
  if (merged.clean) return [];
  return [
    formatRow(
      renderStateGlyph(paint, "failed"),
      "merge",
      "",
      `conflict in ${toOneLine((merged.conflicts ?? []).join(", "))}`,
    ),
  ];
}
