import type { Limits } from "../core/budget/budget.ts";
import { createWorkedTime } from "../core/budget/worked-time.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Json } from "../core/text/json.ts";
import { type AttemptsView, createAttempts } from "./attempts.ts";
import { createEvidence, type EvidenceView } from "./evidence.ts";
import { createGates, type GatesView } from "./gates.ts";
import { createOrchestrationTimer } from "./orchestration.ts";
import { createOwnSteps, type OwnStepsView } from "./own-steps.ts";
import { createPhases, type PhaseView } from "./phases.ts";
import { createQuestions, type QuestionsView } from "./questions.ts";
import { indexHandlers, type RecordHandlers, type Step } from "./record-handlers.ts";
import { type CheckingView, createChecking } from "./running-checks.ts";
import { createStepResults, type StepResults } from "./step-results.ts";

/**
 * The state of a run as all surfaces display it. It is derived from the journal alone, so it is also valid while the
 * run is stopped.
 */
export type RunView = AttemptsView &
  GatesView &
  EvidenceView &
  QuestionsView &
  StepResults &
  CheckingView &
  OwnStepsView & {
    readonly run: string;
    readonly pipeline: string;
    readonly version: number;
    readonly input: Json;
    readonly approvals: string;
    readonly commands: readonly { readonly name: string; readonly run: string }[];
    readonly setup?: { readonly run: string };
    readonly base: { readonly commit: string; readonly tree: string };
    readonly startedAt: number;
    readonly lastAt: number;
    /** The number and hash of the last record. */
    readonly head: { readonly seq: number; readonly chain: string };
    readonly end: JournalRecord<"run.finished"> | JournalRecord<"run.suspended"> | undefined;
    /** The recorded status. A run without an end is running, even if no engine owns it. */
    readonly status: string;
    readonly phases: readonly PhaseView[];
    readonly limits: Limits;
    /** Limitations of the evidence that a person accepted for a commit, and who accepted them. */
    readonly caveats: readonly string[];
    /** Why the run needed no project command, as a person stated in advance. */
    readonly exempt?: string;
    readonly orchestrationMs: number;
    /** Total time in which engines worked on the run. */
    readonly workedMs: number;
  };

/** Folds records into a view. Of ended steps it stores only what is displayed. */
export type RunViewFold = { take(record: JournalRecord): void; view(): RunView };

export function foldRunView(records: readonly JournalRecord[]): RunView {
  const fold = createRunView();
  for (const record of records) fold.take(record);
  return fold.view();
}

/** `others` handle the same records, with their steps, after the view has. */
export function createRunView(others: readonly RecordHandlers[] = []): RunViewFold {
  /** Steps that have not ended. */
  const steps = new Map<string, Step>();
  const [phases, attempts, gates] = [createPhases(), createAttempts(), createGates()];
  const [evidence, questions, results] = [createEvidence(), createQuestions(), createStepResults()];
  const [own, checking] = [createOwnSteps(), createChecking()];
  const [orchestration, worked] = [createOrchestrationTimer(), createWorkedTime()];
  const handlersByType = indexHandlers(
    [phases, attempts, gates, evidence, questions, results, own, checking]
      .flatMap<RecordHandlers>(({ taking }) => taking)
      .concat(others),
  );
  const limits: Limits = {};
  let started: JournalRecord<"run.started"> | undefined;
  let last: JournalRecord | undefined;
  return {
    take(record) {
      last = record;
      if (record.type === "run.started") started ??= record;
      if (record.type === "run.started" || record.type === "run.resumed") Object.assign(limits, record.limits);
      if (record.type === "step.started") steps.set(record.key, record);
      const step = "key" in record ? steps.get(record.key) : undefined;
      for (const heard of handlersByType.get(record.type) ?? []) heard(record, step);
      orchestration.take(record);
      worked.take(record);
      if (record.type === "step.finished") steps.delete(record.key);
    },
    view() {
      const end = last?.type === "run.finished" || last?.type === "run.suspended" ? last : undefined;
      const finished = end?.type === "run.finished";
      return {
        ...getStartFacts(started),
        run: last?.run ?? "",
        lastAt: last?.ts ?? 0,
        head: { seq: last?.seq ?? 0, chain: last?.chain ?? "" },
        end,
        status: end?.status ?? "running",
        phases: phases.view({ declared: started?.phases ?? [], finished, now: last?.ts ?? 0 }),
        ...attempts.view(finished),
        ...gates.view(),
        ...evidence.view(),
        ...questions.view(finished),
        ...results.view(),
        ...own.view(),
        ...checking.view(finished),
        limits: { ...limits },
        caveats: end?.type === "run.finished" ? (end.caveats ?? []) : [],
        orchestrationMs: orchestration.ms(),
        workedMs: worked.ms(),
      };
    },
  };
}

function getStartFacts(started: JournalRecord<"run.started"> | undefined) {
  const { pipeline = "", version = 0, approvals = "", ts: startedAt = 0, exempt, setup } = started ?? {};
  const { input = null, commands = [], base = { commit: "", tree: "" } } = started ?? {};
  // The journal schema declares its own name for the same type.
  const given = { input: input as Json, commands, base };
  return {
    pipeline,
    version,
    approvals,
    startedAt,
    ...given,
    ...(exempt === undefined ? {} : { exempt }),
    ...(setup ? { setup } : {}),
  };
}
