import { createWorkedTime } from "../../core/budget/worked-time.ts";
import type { JournalRecord } from "../../core/journal/record.ts";

export type PastAttempt = {
  readonly started: JournalRecord<"agent.started">;
  readonly finished: JournalRecord<"agent.finished"> | undefined;
};

/** The records of one step. */
export type PastStep = {
  readonly started: JournalRecord<"step.started"> | JournalRecord<"phase.skipped">;
  readonly finished: JournalRecord<"step.finished"> | undefined;
  readonly attempts: readonly PastAttempt[];
  readonly retried: JournalRecord<"agent.retried"> | undefined;
  readonly evidence: readonly JournalRecord<"evidence.recorded">[];
  readonly requested: JournalRecord<"approval.requested"> | undefined;
  readonly decided: JournalRecord<"approval.decided"> | undefined;
};

/** The journal of a run, indexed for replay. */
export type RunHistory = {
  readonly records: readonly JournalRecord[];
  readonly started: JournalRecord<"run.started"> | undefined;
  readonly ended: JournalRecord<"run.finished"> | undefined;
  readonly resumed: readonly JournalRecord<"run.resumed">[];
  readonly last: { readonly seq: number; readonly chain: string };
  /** The number of the last record with which an engine suspended the run in order; 0 if there is none. */
  readonly suspendedAt: number;
  /** How long engines have worked on the run, by the time between their first and last records. */
  readonly workedMs: number;
  at(scope: string, n: number): PastStep | undefined;
  byKey(key: string): PastStep | undefined;
  /** The highest place in the scope that has a record, also inside a nested scope; -1 if there is none. */
  lastPlace(scope: string): number;
  /** True if a scope opened at that place has records of its own. */
  opened(scope: string, n: number): boolean;
  /** True if the scope, or one inside it, has records. */
  entered(scope: string): boolean;
  readonly keys: readonly string[];
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type StepDraft = Writable<Omit<PastStep, "attempts" | "evidence">> & {
  attempts: Writable<PastAttempt>[];
  evidence: JournalRecord<"evidence.recorded">[];
};

export function indexHistory(records: readonly JournalRecord[]): RunHistory {
  const { steps, places, parents } = indexRecords(records);
  const lastRecord = records.at(-1);
  return {
    records,
    started: records.find((record) => record.type === "run.started"),
    ended: records.findLast((record) => record.type === "run.finished"),
    resumed: records.filter((record) => record.type === "run.resumed"),
    last: { seq: lastRecord?.seq ?? 0, chain: lastRecord?.chain ?? "" },
    suspendedAt: records.findLast((record) => record.type === "run.suspended")?.seq ?? 0,
    workedMs: measureWorkedMs(records),
    at: (scope, n) => places.get(scope)?.steps.get(n),
    byKey: (key) => steps.get(key),
    lastPlace: (scope) => places.get(scope)?.last ?? -1,
    opened: (scope, n) => parents.has(`${scope}/${n}`),
    entered: (scope) => places.has(scope),
    keys: [...steps.keys()],
  };
}

type ScopeSteps = Map<string, { readonly steps: Map<number, StepDraft>; last: number }>;
type StepIndex = { readonly steps: Map<string, StepDraft>; readonly places: ScopeSteps; readonly parents: Set<string> };

function indexRecords(records: readonly JournalRecord[]): StepIndex {
  const index: StepIndex = { steps: new Map(), places: new Map(), parents: new Set() };
  for (const record of records) {
    if (record.type === "step.started" || record.type === "phase.skipped") enter(index, record);
    else if ("key" in record) fill(index.steps.get(record.key), record);
  }
  return index;
}

function enter({ steps, places, parents }: StepIndex, record: PastStep["started"]): void {
  const draft = begin(record);
  steps.set(record.key, draft);
  const scope = places.get(record.scope) ?? { steps: new Map<number, StepDraft>(), last: -1 };
  scope.steps.set(record.n, draft);
  scope.last = Math.max(record.n, scope.last);
  places.set(record.scope, scope);
  for (let id = record.scope; id.includes("/"); id = getParentScope(id)) {
    const parent = places.get(getParentScope(id)) ?? { steps: new Map<number, StepDraft>(), last: -1 };
    parent.last = Math.max(getScopePlace(id), parent.last);
    places.set(getParentScope(id), parent);
    parents.add(`${getParentScope(id)}/${getScopePlace(id)}`);
  }
}

const getParentScope = (scope: string): string => scope.slice(0, scope.lastIndexOf("/"));

/** Returns where in its parent the scope was opened: `root/3.round-1` → 3. */
const getScopePlace = (scope: string): number => Number.parseInt(scope.slice(scope.lastIndexOf("/") + 1), 10);

function begin(started: PastStep["started"]): StepDraft {
  return {
    started,
    finished: undefined,
    attempts: [],
    retried: undefined,
    evidence: [],
    requested: undefined,
    decided: undefined,
  };
}

function fill(draft: StepDraft | undefined, record: JournalRecord): void {
  if (!draft) return;
  if (record.type === "step.finished") draft.finished = record;
  if (record.type === "agent.started") draft.attempts.push({ started: record, finished: undefined });
  if (record.type === "agent.finished") {
    const attempt = draft.attempts.find((each) => each.started.attempt === record.attempt);
    if (attempt) attempt.finished = record;
  }
  if (record.type === "agent.retried") draft.retried = record;
  if (record.type === "evidence.recorded") draft.evidence.push(record);
  if (record.type === "approval.requested") draft.requested = record;
  if (record.type === "approval.decided") draft.decided = record;
}

function measureWorkedMs(records: readonly JournalRecord[]): number {
  const worked = createWorkedTime();
  for (const record of records) worked.take(record);
  return worked.ms();
}
