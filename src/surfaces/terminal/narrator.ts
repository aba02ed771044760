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
  /** The lines that this record is worth. */
  tell(record: JournalRecord): string[];
  /** Takes a record in without a word: what a resumed run has behind it. */
  recall(record: JournalRecord): void;
  /** The run as it stands by what was taken in. */
  view(): RunView;
};

/** Turns the events of a run into lines: who, what, how long; and where it fails, because of what. */
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
      const lines = told(memory, record);
      forget(memory, record);
      return lines;
    },
  };
}

function told(memory: Memory, record: JournalRecord): string[] {
  const lines = linesOf(memory, record);
  if (lines.length === 0 || BARE.has(record.type)) return lines;
  const stamped = stamp(memory, record, lines);
  return [...headingOf(memory, record), ...stamped];
}

/** Told without a clock or a heading: they stand for themselves. */
const BARE: ReadonlySet<string> = new Set(["run.started", "run.suspended", "run.finished"]);

function stamp(memory: Memory, record: JournalRecord, lines: readonly string[]): string[] {
  const begun = memory.first?.ts ?? record.ts;
  const at = clock(record.ts - begun).padStart(6);
  return lines.map((line, index) => (index === 0 ? `${memory.paint.dim(at)}  ${line}` : `        ${line}`));
}

function headingOf(memory: Memory, record: JournalRecord): string[] {
  if (!("key" in record)) return [];
  const phase = record.type === "phase.skipped" ? undefined : memory.steps.get(record.key)?.phase;
  if (phase === undefined) return [];
  const round = "round" in record && record.round > 1 ? record.round : roundOf(record.key);
  const heading = round > 1 ? `${phase} · round ${round}` : phase;
  if (heading === memory.heading) return [];
  memory.heading = heading;
  return [`        ${memory.paint.bold(oneLine(heading))}`];
}

function linesOf(memory: Memory, record: JournalRecord): string[] {
  const { paint } = memory;
  switch (record.type) {
    case "run.started":
      return header(paint, record);
    case "engine.started":
      return resumedBy(memory, record);
    case "run.resumed":
      return [`${paint.cyan("▸")} resumed by ${oneLine(record.by)}${record.note ? `: ${oneLine(record.note)}` : ""}`];
    case "letter.dropped":
      return [paint.yellow(`! the ${oneLine(record.of)} by ${oneLine(record.by)} was dropped: ${oneLine(record.why)}`)];
    case "agent.started":
      return [row(stateGlyph(paint, "running"), playerName(record), "", paint.dim(beginning(record)))];
    case "agent.finished":
      return agentEnded(paint, record);
    case "agent.retried":
      return [row(stateGlyph(paint, "retrying"), playerName(record), "", againText(memory, record))];
    case "evidence.recorded":
      return checked(memory, record);
    case "approval.requested":
      return asked(memory, record);
    case "approval.decided":
      return decided(memory, record);
    case "phase.skipped":
      return [
        `${stateGlyph(paint, "skipped")} ${oneLine(record.title)} ${paint.dim(`skipped: ${oneLine(record.reason)}`)}`,
      ];
    case "step.started":
      if (record.verb === "act")
        return [row(stateGlyph(paint, "running"), ownStepName(record.key), "", paint.dim(OWN))];
      return isPreflight(record) ? preflightBegins(paint, aboutPreflight(memory, record)).map(rowOf) : [];
    case "step.finished":
      return stepEnded(memory, record);
    case "run.suspended":
    case "run.finished":
      return endLines(paint, memory.view.view(), memory.startedWith);
    default:
      return [];
  }
}

function row(glyph: string, name: string, time: string, detail: string): string {
  return `${glyph} ${oneLine(name, NAME_WIDTH).padEnd(NAME_WIDTH)} ${time.padStart(TIME_WIDTH)}  ${detail}`.trimEnd();
}

const rowOf = (cells: Row): string => row(...cells);

function header(paint: Paint, record: JournalRecord<"run.started">): string[] {
  const commands = record.commands.map((command) => command.name).join(", ") || "none";
  return [
    `${paint.bold(record.pipeline)} v${record.version} · run ${paint.bold(record.run)}`,
    paint.dim(`approvals ${record.approvals} · checks ${oneLine(commands)} · from ${record.base.commit.slice(0, 10)}`),
    "",
  ];
}

function resumedBy(memory: Memory, record: JournalRecord<"engine.started">): string[] {
  if (memory.engines < 2) return [];
  const engine = engineName(record.owner);
  const lost = memory.lost === undefined ? "" : `engine ${engineName(memory.lost)} died; `;
  const standing = `${counted(memory.ended, "recorded step")} ${memory.ended === 1 ? "stands" : "stand"}`;
  return [`${memory.paint.cyan("▸")} ${lost}taken over by engine ${engine}: ${standing}, none is repeated`];
}

const engineName = (owner: string): string => oneLine(owner.split(":").slice(0, 2).join(":"));

function beginning({ attempt, continues }: JournalRecord<"agent.started">): string {
  if (continues !== undefined) return `${attemptOf(attempt)} · goes on where the one before was cut off`;
  return attemptOf(attempt) || "started";
}

const attemptOf = (attempt: number): string => (attempt > 1 ? `attempt ${attempt}` : "");
function againText({ attempts }: Memory, record: JournalRecord<"agent.retried">): string {
  const { key, waitMs, attempt, because, instead, ts } = record;
  const again = `goes again ${inTime(waitMs)}, attempt ${attempt}`;
  if (!isUsedUp(because)) return again;
  const other = waitMs === 0 && instead !== undefined ? attempts.get(key)?.instead : undefined;
  if (other !== undefined) return `${oneLine(other)} plays instead, attempt ${attempt}`;
  return waitMs === 0 ? again : `waits until ${timeOfDay(ts + waitMs, ts)} for its usage window, attempt ${attempt}`;
}

const inTime = (ms: number): string => (ms === 0 ? "at once" : `in ${duration(ms)}`);

function agentEnded(paint: Paint, record: JournalRecord<"agent.finished">): string[] {
  const name = playerName(record);
  const time = record.ms === undefined ? "" : duration(record.ms);
  if (record.outcome === "interrupted") {
    const why = `${record.orderly ? "put down" : "interrupted"}: ${oneLine(cutText(record))}`;
    return [row(stateGlyph(paint, "interrupted"), name, time, why)];
  }
  if (record.failure) {
    const { class: kind, message } = record.failure;
    const kept = record.kept === undefined ? "" : " · its work is kept";
    return [row(stateGlyph(paint, "failed"), name, time, paint.red(`${kind}: ${oneLine(message, 300)}`) + kept)];
  }
  const outside = record.outside?.length ? `${files(record.outside.length)} outside its task not taken` : "";
  const details = [
    attemptOf(record.attempt),
    record.changed?.length ? `changed ${oneLine(record.changed.join(", "), 60)}` : "",
    outside && paint.yellow(outside),
    record.adopted ? paint.cyan("adopted: it finished alone") : "",
    usageText(record.usage),
  ];
  return [row(stateGlyph(paint, "answered"), name, record.adopted ? "" : time, details.filter(Boolean).join(" · "))];
}

const files = (count: number): string => counted(count, "file");

function checked(memory: Memory, record: JournalRecord<"evidence.recorded">): string[] {
  // An exam has one result per command under one name.
  const result = `${record.tree} ${record.check} ${record.halves ? record.command : ""}`;
  if (memory.checked.has(result)) return [];
  memory.checked.add(result);
  const step = memory.steps.get(record.key);
  // Told together, when all of it is known.
  return step && isPreflight(step) ? [] : [rowOf(checkRow(memory.paint, record))];
}

function aboutPreflight({ first }: Memory, step: JournalRecord<"step.started">) {
  return { started: first?.type === "run.started" ? first : undefined, step };
}

function asked(memory: Memory, record: JournalRecord<"approval.requested">): string[] {
  const automatic = memory.first?.type === "run.started" && memory.first.approvals === "autonomous";
  if (automatic && record.auto !== "never") return [];
  return questionLines(memory.paint, record);
}

function decided(memory: Memory, record: JournalRecord<"approval.decided">): string[] {
  const { paint } = memory;
  const title = memory.questions.get(record.approval)?.title ?? record.approval;
  const note = record.note ? paint.dim(` “${oneLine(record.note)}”`) : "";
  return [
    `${stateGlyph(paint, "answered")} ${oneLine(title)} ${paint.bold(oneLine(record.choice))} by ${oneLine(record.by)}${note}`,
  ];
}

function stepEnded(memory: Memory, record: JournalRecord<"step.finished">): string[] {
  const step = memory.steps.get(record.key);
  const verb = step?.verb;
  if (step && isPreflight(step)) {
    const evidence = memory.preflight.filter(({ key }) => key === record.key);
    const rows = preflightEnds(memory.paint, { ...aboutPreflight(memory, step), evidence, at: record.ts });
    return [...rows.map(rowOf), ...preflightNoteLines(memory.paint, evidence)];
  }
  if (step && verb === "act") return acted(memory, step, record);
  if (verb === "announce" && record.value) return announced(memory, record.value);
  if (verb === "gate") return judged(memory, record);
  if (verb === "commit" && record.value) return committed(memory, record.value);
  if (verb === "merge" && record.value) return conflicted(memory, record.value);
  return [];
}

const OWN = "a step of this pipeline's own";

function acted(
  { paint }: Memory,
  step: JournalRecord<"step.started">,
  { failure, value, ts }: JournalRecord<"step.finished">,
): string[] {
  const time = duration(ts - step.ts);
  if (failure)
    return [
      row(
        stateGlyph(paint, "failed"),
        ownStepName(step.key),
        time,
        paint.red(`${OWN}: ${oneLine(failure.message, 300)}`),
      ),
    ];
  const said = value === undefined ? "" : paint.dim(`says ${oneLine(JSON.stringify(value), 60)}`);
  return [row(stateGlyph(paint, "ended"), ownStepName(step.key), time, said)];
}

type AnnounceResult = {
  readonly announced?: readonly unknown[];
  readonly unknown?: readonly string[];
  readonly excuses?: readonly string[];
};

function announced({ paint }: Memory, value: unknown): string[] {
  // Recorded by the verb itself; runs of before that noted only the list.
  const { announced: changes, unknown = [], excuses = [] } = value as AnnounceResult;
  if (changes?.length === 0) return [];
  const missing = unknown.filter((name) => !isFilelessPattern(name));
  const names = missing.map((name) => `"${oneLine(name, 60)}"`).join(", ");
  const says =
    missing.length === 0
      ? "changes of behaviour that the plan asks for"
      : `no test of the baseline is called ${names}: nothing is let go by that`;
  const glyph = unknown.length === 0 ? stateGlyph(paint, "ended") : paint.yellow("!");
  return [row(glyph, "announced", "", says), ...excuses.map((line) => row(" ", "", "", oneLine(line, 400)))];
}

function judged({ paint, gates }: Memory, { key, value }: JournalRecord<"step.finished">): string[] {
  const { first, more } = gateLines(paint, gates.get(key) ?? [], value);
  return [rowOf(first), ...more];
}

function committed({ paint }: Memory, value: unknown): string[] {
  // Recorded by the verb itself.
  const { commit, branch } = value as { commit: string; branch: string };
  return [row(stateGlyph(paint, "ended"), `commit ${commit.slice(0, 10)}`, "", `on ${branch}`)];
}

function conflicted({ paint }: Memory, value: unknown): string[] {
  // Recorded by the verb itself.
  const merged = value as { clean: boolean; conflicts?: string[] };
  if (merged.clean) return [];
  return [row(stateGlyph(paint, "failed"), "merge", "", `conflict in ${oneLine((merged.conflicts ?? []).join(", "))}`)];
}
