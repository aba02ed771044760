import { isUsedUp } from "../../core/budget/quota.ts";
import { isFilelessPattern } from "../../core/checks/exam/test-name.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { counted } from "../../core/text/counted.ts";
import { cutText } from "../../views/attempts.ts";
import { ownStepName } from "../../views/own-steps.ts";
import { roundOf } from "../../views/rounds.ts";
import type { RunView } from "../../views/run-view.ts";
import { usageText } from "../../views/spent.ts";
import { playerName } from "../../views/who.ts";
import { checkRow, preflightBegins, preflightEnds, preflightNoteLines, type Row } from "./check-lines.ts";
import { oneLine } from "./clean-text.ts";
import { clock, duration, timeOfDay } from "./duration.ts";
import { endLines } from "./end-lines.ts";
import { gateLines } from "./gate-lines.ts";
import { stateGlyph } from "./glyph.ts";
import { createMemory, forget, isPreflight, type Memory, remember } from "./narrator-memory.ts";
import type { Paint } from "./paint.ts";
import { questionLines } from "./question-lines.ts";

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
  const memory = createMemory(paint, startedWith);
  return {
    view: () => memory.view.view(),
    recall(record) {
      remember(memory, record);
      forget(memory, record);
    },
    tell(record) {
      remember(memory, record);
      const lines = formatRecordLines(memory, record);
      forget(memory, record);
      return lines;
    },
  };
}

function formatRecordLines(memory: Memory, record: JournalRecord): string[] {
  const lines = formatRecord(memory, record);
  if (lines.length === 0 || UNSTAMPED.has(record.type)) return lines;
  const stamped = stamp(memory, record, lines);
  return [...formatHeading(memory, record), ...stamped];
}

/** Record types printed without time and heading. */
const UNSTAMPED: ReadonlySet<string> = new Set(["run.started", "run.suspended", "run.finished"]);

function stamp(memory: Memory, record: JournalRecord, lines: readonly string[]): string[] {
  const begun = memory.first?.ts ?? record.ts;
  const at = clock(record.ts - begun).padStart(6);
  return lines.map((line, index) => (index === 0 ? `${memory.paint.dim(at)}  ${line}` : `        ${line}`));
}

function formatHeading(memory: Memory, record: JournalRecord): string[] {
  if (!("key" in record)) return [];
  const phase = record.type === "phase.skipped" ? undefined : memory.steps.get(record.key)?.phase;
  if (phase === undefined) return [];
  const round = "round" in record && record.round > 1 ? record.round : roundOf(record.key);
  const heading = round > 1 ? `${phase} · round ${round}` : phase;
  if (heading === memory.heading) return [];
  memory.heading = heading;
  return [`        ${memory.paint.bold(oneLine(heading))}`];
}

function formatRecord(memory: Memory, record: JournalRecord): string[] {
  const { paint } = memory;
  switch (record.type) {
    case "run.started":
      return formatRunHeader(paint, record);
    case "engine.started":
      return formatTakeover(memory, record);
    case "run.resumed":
      return [`${paint.cyan("▸")} resumed by ${oneLine(record.by)}${record.note ? `: ${oneLine(record.note)}` : ""}`];
    case "letter.dropped":
      return [paint.yellow(`! the ${oneLine(record.of)} by ${oneLine(record.by)} was ignored: ${oneLine(record.why)}`)];
    case "agent.started":
      return [formatRow(stateGlyph(paint, "running"), playerName(record), "", paint.dim(formatStart(record)))];
    case "agent.finished":
      return formatAgentEnd(paint, record);
    case "agent.retried":
      return [formatRow(stateGlyph(paint, "retrying"), playerName(record), "", formatRetry(memory, record))];
    case "evidence.recorded":
      return formatCheck(memory, record);
    case "approval.requested":
      return formatQuestion(memory, record);
    case "approval.decided":
      return formatAnswer(memory, record);
    case "phase.skipped":
      return [
        `${stateGlyph(paint, "skipped")} ${oneLine(record.title)} ${paint.dim(`skipped: ${oneLine(record.reason)}`)}`,
      ];
    case "step.started":
      if (record.verb === "act")
        return [formatRow(stateGlyph(paint, "running"), ownStepName(record.key), "", paint.dim(OWN))];
      return isPreflight(record) ? preflightBegins(paint, getPreflight(memory, record)).map(formatCells) : [];
    case "step.finished":
      return formatStepEnd(memory, record);
    case "run.suspended":
    case "run.finished":
      return endLines(paint, memory.view.view(), memory.startedWith);
    default:
      return [];
  }
}

function formatRow(glyph: string, name: string, time: string, detail: string): string {
  return `${glyph} ${oneLine(name, NAME_WIDTH).padEnd(NAME_WIDTH)} ${time.padStart(TIME_WIDTH)}  ${detail}`.trimEnd();
}

const formatCells = (cells: Row): string => formatRow(...cells);

function formatRunHeader(paint: Paint, record: JournalRecord<"run.started">): string[] {
  const commands = record.commands.map((command) => command.name).join(", ") || "none";
  return [
    `${paint.bold(record.pipeline)} v${record.version} · run ${paint.bold(record.run)}`,
    paint.dim(`approvals ${record.approvals} · checks ${oneLine(commands)} · from ${record.base.commit.slice(0, 10)}`),
    "",
  ];
}

function formatTakeover(memory: Memory, record: JournalRecord<"engine.started">): string[] {
  if (memory.engines < 2) return [];
  const engine = formatEngine(record.owner);
  const lost = memory.lost === undefined ? "" : `engine ${formatEngine(memory.lost)} died; `;
  const reused = counted(memory.ended, "recorded step");
  return [`${memory.paint.cyan("▸")} ${lost}taken over by engine ${engine}: reusing ${reused}`];
}

const formatEngine = (owner: string): string => oneLine(owner.split(":").slice(0, 2).join(":"));

function formatStart({ attempt, continues }: JournalRecord<"agent.started">): string {
  if (continues !== undefined) return `${formatAttempt(attempt)} · continues the interrupted attempt`;
  return formatAttempt(attempt) || "started";
}

const formatAttempt = (attempt: number): string => (attempt > 1 ? `attempt ${attempt}` : "");
function formatRetry({ attempts }: Memory, record: JournalRecord<"agent.retried">): string {
  const { key, waitMs, attempt, because, instead, ts } = record;
  const again = `retrying ${formatDelay(waitMs)}, attempt ${attempt}`;
  if (!isUsedUp(because)) return again;
  const other = waitMs === 0 && instead !== undefined ? attempts.get(key)?.instead : undefined;
  if (other !== undefined) return `using ${oneLine(other)} instead, attempt ${attempt}`;
  return waitMs === 0 ? again : `waits until ${timeOfDay(ts + waitMs, ts)} for its usage limit, attempt ${attempt}`;
}

const formatDelay = (ms: number): string => (ms === 0 ? "now" : `in ${duration(ms)}`);

function formatAgentEnd(paint: Paint, record: JournalRecord<"agent.finished">): string[] {
  const name = playerName(record);
  const time = record.ms === undefined ? "" : duration(record.ms);
  if (record.outcome === "interrupted") {
    const why = `${record.orderly ? "stopped" : "interrupted"}: ${oneLine(cutText(record))}`;
    return [formatRow(stateGlyph(paint, "interrupted"), name, time, why)];
  }
  if (record.failure) {
    const { class: kind, message } = record.failure;
    const kept = record.kept === undefined ? "" : " · its work is saved";
    return [formatRow(stateGlyph(paint, "failed"), name, time, paint.red(`${kind}: ${oneLine(message, 300)}`) + kept)];
  }
  const outside = record.outside?.length ? `${formatFileCount(record.outside.length)} outside its task ignored` : "";
  const details = [
    formatAttempt(record.attempt),
    record.changed?.length ? `changed ${oneLine(record.changed.join(", "), 60)}` : "",
    outside && paint.yellow(outside),
    record.adopted ? paint.cyan("adopted: finished without an engine") : "",
    usageText(record.usage),
  ];
  return [
    formatRow(stateGlyph(paint, "answered"), name, record.adopted ? "" : time, details.filter(Boolean).join(" · ")),
  ];
}

const formatFileCount = (count: number): string => counted(count, "file");

function formatCheck(memory: Memory, record: JournalRecord<"evidence.recorded">): string[] {
  // An exam has several results under one name, one per command.
  const result = `${record.tree} ${record.check} ${record.halves ? record.command : ""}`;
  if (memory.checked.has(result)) return [];
  memory.checked.add(result);
  const step = memory.steps.get(record.key);
  // Preflight results are printed together at its end.
  return step && isPreflight(step) ? [] : [formatCells(checkRow(memory.paint, record))];
}

function getPreflight({ first }: Memory, step: JournalRecord<"step.started">) {
  return { started: first?.type === "run.started" ? first : undefined, step };
}

function formatQuestion(memory: Memory, record: JournalRecord<"approval.requested">): string[] {
  const automatic = memory.first?.type === "run.started" && memory.first.approvals === "autonomous";
  if (automatic && record.auto !== "never") return [];
  return questionLines(memory.paint, record);
}

function formatAnswer(memory: Memory, record: JournalRecord<"approval.decided">): string[] {
  const { paint } = memory;
  const title = memory.questions.get(record.approval)?.title ?? record.approval;
  const note = record.note ? paint.dim(` “${oneLine(record.note)}”`) : "";
  return [
    `${stateGlyph(paint, "answered")} ${oneLine(title)} ${paint.bold(oneLine(record.choice))} by ${oneLine(record.by)}${note}`,
  ];
}

function formatStepEnd(memory: Memory, record: JournalRecord<"step.finished">): string[] {
  const step = memory.steps.get(record.key);
  const verb = step?.verb;
  if (step && isPreflight(step)) {
    const evidence = memory.preflight.filter(({ key }) => key === record.key);
    const rows = preflightEnds(memory.paint, { ...getPreflight(memory, step), evidence, at: record.ts });
    return [...rows.map(formatCells), ...preflightNoteLines(memory.paint, evidence)];
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
  { paint }: Memory,
  step: JournalRecord<"step.started">,
  { failure, value, ts }: JournalRecord<"step.finished">,
): string[] {
  const time = duration(ts - step.ts);
  if (failure)
    return [
      formatRow(
        stateGlyph(paint, "failed"),
        ownStepName(step.key),
        time,
        paint.red(`${OWN}: ${oneLine(failure.message, 300)}`),
      ),
    ];
  const result = value === undefined ? "" : paint.dim(`reported ${oneLine(JSON.stringify(value), 60)}`);
  return [formatRow(stateGlyph(paint, "ended"), ownStepName(step.key), time, result)];
}

type AnnounceResult = {
  readonly announced?: readonly unknown[];
  readonly unknown?: readonly string[];
  readonly excuses?: readonly string[];
};

function formatAnnouncement({ paint }: Memory, value: unknown): string[] {
  // The cast holds because the verb records this value. Older runs recorded only the list.
  const { announced: changes, unknown = [], excuses = [] } = value as AnnounceResult;
  if (changes?.length === 0) return [];
  const missing = unknown.filter((name) => !isFilelessPattern(name));
  const names = missing.map((name) => `"${oneLine(name, 60)}"`).join(", ");
  const says =
    missing.length === 0
      ? "behavior changes declared by the plan"
      : `no baseline test is named ${names}: the declaration has no effect`;
  const glyph = unknown.length === 0 ? stateGlyph(paint, "ended") : paint.yellow("!");
  return [formatRow(glyph, "declared", "", says), ...excuses.map((line) => formatRow(" ", "", "", oneLine(line, 400)))];
}

function formatGate({ paint, gates }: Memory, { key, value }: JournalRecord<"step.finished">): string[] {
  const { first, more } = gateLines(paint, gates.get(key) ?? [], value);
  return [formatCells(first), ...more];
}

function formatCommit({ paint }: Memory, value: unknown): string[] {
  // The cast holds because the verb records this value.
  const { commit, branch } = value as { commit: string; branch: string };
  return [formatRow(stateGlyph(paint, "ended"), `commit ${commit.slice(0, 10)}`, "", `on ${branch}`)];
}

function formatConflict({ paint }: Memory, value: unknown): string[] {
  // The cast holds because the verb records this value.
  const merged = value as { clean: boolean; conflicts?: string[] };
  if (merged.clean) return [];
  return [
    formatRow(stateGlyph(paint, "failed"), "merge", "", `conflict in ${oneLine((merged.conflicts ?? []).join(", "))}`),
  ];
}
