import type { Limits } from "../core/budget/budget.ts";
import { createWorkedTime } from "../core/budget/worked-time.ts";
import type { JournalRecord } from "../core/journal/record.ts";
import type { Json } from "../core/text/json.ts";
import { type AttemptsView, createAttempts } from "./attempts.ts";
import { type CheckingView, createChecking } from "./checking.ts";
import { createEvidence, type EvidenceView } from "./evidence.ts";
import { createGates, type GatesView } from "./gates.ts";
import { createOrchestration } from "./orchestration.ts";
import { createOwnSteps, type OwnStepsView } from "./own-steps.ts";
import { createPhases, type PhaseView } from "./phases.ts";
import { createQuestions, type QuestionsView } from "./questions.ts";
import { createStepResults, type StepResults } from "./step-results.ts";
import { hearersOf, type Step, type Taking } from "./taking.ts";

/** A run as everybody is shown it, from the journal alone: it is as true while the run is down. */
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
    /** The last record's number and hash. */
    readonly head: { readonly seq: number; readonly chain: string };
    readonly end: JournalRecord<"run.finished"> | JournalRecord<"run.suspended"> | undefined;
    /** As it is recorded: a run without an end is running, whether somebody drives it or not. */
    readonly status: string;
    readonly phases: readonly PhaseView[];
    readonly limits: Limits;
    /** What was committed although evidence could not decide it, and who said so. */
    readonly caveats: readonly string[];
    /** Why no command of the project was needed; a person's word, given beforehand. */
    readonly exempt?: string;
    readonly orchestrationMs: number;
    /** How long engines have worked on it. */
    readonly workedMs: number;
  };

/** A run as it is taken in record by record: of steps that have ended only what somebody is shown is held. */
export type ViewFold = { take(record: JournalRecord): void; view(): RunView };

export function viewOf(records: readonly JournalRecord[]): RunView {
  const fold = createView();
  for (const record of records) fold.take(record);
  return fold.view();
}

/** `others` hear of the same records, with the steps that they belong to, after the view has taken them in. */
export function createView(others: readonly Taking[] = []): ViewFold {
  /** Those that have not ended. */
  const steps = new Map<string, Step>();
  const [phases, attempts, gates] = [createPhases(), createAttempts(), createGates()];
  const [evidence, questions, results] = [createEvidence(), createQuestions(), createStepResults()];
  const [own, checking] = [createOwnSteps(), createChecking()];
  const [orchestration, worked] = [createOrchestration(), createWorkedTime()];
  const hearers = hearersOf(
    [phases, attempts, gates, evidence, questions, results, own, checking]
      .flatMap<Taking>(({ taking }) => taking)
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
      for (const heard of hearers.get(record.type) ?? []) heard(record, step);
      orchestration.take(record);
      worked.take(record);
      if (record.type === "step.finished") steps.delete(record.key);
    },
    view() {
      const end = last?.type === "run.finished" || last?.type === "run.suspended" ? last : undefined;
      const finished = end?.type === "run.finished";
      return {
        ...beginningOf(started),
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

function beginningOf(started: JournalRecord<"run.started"> | undefined) {
  const { pipeline = "", version = 0, approvals = "", ts: startedAt = 0, exempt, setup } = started ?? {};
  const { input = null, commands = [], base = { commit: "", tree: "" } } = started ?? {};
  // The schema has its own name for the same type.
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
