import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { createRunView, type RunViewFold } from "../../views/run-view.ts";
import type { Paint } from "./paint.ts";

/** State of a narrator. Details of ended steps are dropped; only counts are retained. */
export type NarratorState = {
  readonly paint: Paint;
  /** Flags needed to start the run again, as in `Presence`. */
  readonly startFlags: readonly string[];
  readonly view: RunViewFold;
  readonly steps: Map<string, JournalRecord<"step.started">>;
  readonly gates: Map<string, JournalRecord<"gate.evaluated">[]>;
  /** The latest ended attempt of each dispatch. */
  readonly attempts: Map<string, JournalRecord<"agent.finished">>;
  readonly questions: Map<string, JournalRecord<"approval.requested">>;
  /** Evidence recorded by the preflight. */
  readonly preflight: JournalRecord<"evidence.recorded">[];
  /** Results already printed. The same command on the same tree runs once even if several steps request it. */
  readonly printedResults: Set<string>;
  first: JournalRecord | undefined;
  engines: number;
  /** The engine that owns the run; undefined while the run is suspended. */
  owner: string | undefined;
  /** The previous engine, if another one took the run over from it. */
  lostOwner: string | undefined;
  /** Number of ended steps. */
  ended: number;
  heading: string;
};

export function createNarratorState(paint: Paint, startedWith: readonly string[]): NarratorState {
  return {
    paint,
    startFlags: startedWith,
    view: createRunView(),
    steps: new Map(),
    gates: new Map(),
    attempts: new Map(),
    questions: new Map(),
    preflight: [],
    printedResults: new Set(),
    first: undefined,
    engines: 0,
    owner: undefined,
    lostOwner: undefined,
    ended: 0,
    heading: "",
  };
}

export function addRecord(memory: NarratorState, record: JournalRecord): void {
  memory.first ??= record;
  memory.view.take(record);
  switch (record.type) {
    case "engine.started":
      memory.engines += 1;
      [memory.lostOwner, memory.owner] = [memory.owner, record.owner];
      return;
    case "run.suspended":
      memory.owner = undefined;
      return;
    case "step.started":
      memory.steps.set(record.key, record);
      return;
    case "step.finished":
      memory.ended += 1;
      return;
    case "agent.finished":
      memory.attempts.set(record.key, record);
      return;
    case "approval.requested":
      memory.questions.set(record.approval, record);
      return;
    case "gate.evaluated":
      rememberRule(memory, record);
      return;
    case "evidence.recorded":
      if (isPreflight(memory.steps.get(record.key))) memory.preflight.push(record);
      return;
    default:
      return;
  }
}

/** Drops details of an ended step, about which nothing more is printed. */
export function dropEndedStep(memory: NarratorState, record: JournalRecord): void {
  if (record.type === "approval.decided") memory.questions.delete(record.approval);
  if (record.type !== "step.finished") return;
  for (const kept of [memory.steps, memory.gates, memory.attempts]) kept.delete(record.key);
}

export function isPreflight(step: JournalRecord<"step.started"> | undefined): boolean {
  return step?.phase === PREFLIGHT && step.verb === "check";
}

function rememberRule({ gates }: NarratorState, record: JournalRecord<"gate.evaluated">): void {
  const rules = gates.get(record.key) ?? [];
  rules.push(record);
  gates.set(record.key, rules);
}
