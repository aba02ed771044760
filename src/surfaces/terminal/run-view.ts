import type { Limits } from "../../core/budget.ts";
import type { JournalRecord } from "../../core/record.ts";
import { createDispatchView, type DispatchView } from "./dispatch-view.ts";
import { createOrchestration } from "./orchestration.ts";
import { createPhaseView, type PhaseView } from "./phase-view.ts";
import { createStepView, type StepView } from "./step-view.ts";

export type OpenApproval = JournalRecord<"approval.requested">;

/** Everything `status` says, from the journal alone: it is as true while the run is down. */
export type RunView = DispatchView &
  StepView & {
    readonly run: string;
    readonly pipeline: string;
    readonly version: number;
    readonly approvals: string;
    readonly startedAt: number;
    readonly lastAt: number;
    readonly end: JournalRecord<"run.finished"> | JournalRecord<"run.suspended"> | undefined;
    readonly phases: readonly PhaseView[];
    readonly open: readonly OpenApproval[];
    readonly limits: Limits;
    /** What was committed although evidence could not decide it, and who said so. */
    readonly caveats: readonly string[];
    /** Why no command of the project was needed; a person's word, given beforehand. */
    readonly exempt?: string;
    readonly orchestrationMs: number;
  };

/** A run as it is taken in record by record: what is held of it does not grow with its length, but with its trouble. */
export type ViewFold = {
  take(record: JournalRecord): void;
  /** The headings under which something began, in that order. */
  reached(): readonly string[];
  view(titles: readonly string[]): RunView;
};

export function viewOf(records: readonly JournalRecord[], titles: readonly string[]): RunView {
  const fold = createView();
  for (const record of records) fold.take(record);
  return fold.view(titles);
}

export function createView(): ViewFold {
  const phases = createPhaseView();
  const dispatches = createDispatchView();
  const steps = createStepView();
  const orchestration = createOrchestration();
  const approvals = new Map<string, OpenApproval>();
  const limits: Limits = {};
  let started: JournalRecord<"run.started"> | undefined;
  let last: JournalRecord | undefined;
  return {
    take(record) {
      last = record;
      for (const part of [phases, dispatches, steps, orchestration]) part.take(record);
      keepOpen(approvals, record);
      if (record.type === "run.started") started ??= record;
      if (record.type === "run.started" || record.type === "run.resumed") Object.assign(limits, record.limits);
    },
    reached: phases.reached,
    view(titles) {
      const end = last?.type === "run.finished" || last?.type === "run.suspended" ? last : undefined;
      const finished = end?.type === "run.finished";
      return {
        ...namesOf(started),
        run: last?.run ?? "",
        lastAt: last?.ts ?? 0,
        end,
        phases: phases.view(titles, finished),
        ...dispatches.view(finished),
        ...steps.view(),
        open: finished ? [] : [...approvals.values()],
        limits: { ...limits },
        caveats: end?.type === "run.finished" ? (end.caveats ?? []) : [],
        orchestrationMs: orchestration.ms(),
      };
    },
  };
}

function namesOf(started: JournalRecord<"run.started"> | undefined) {
  const { pipeline = "", version = 0, approvals = "", ts: startedAt = 0, exempt } = started ?? {};
  return { pipeline, version, approvals, startedAt, ...(exempt === undefined ? {} : { exempt }) };
}

/** Questions that nobody has answered. A finished run has none: its open ones no longer matter. */
export function openApprovals(records: readonly JournalRecord[]): OpenApproval[] {
  if (records.at(-1)?.type === "run.finished") return [];
  const approvals = new Map<string, OpenApproval>();
  for (const record of records) keepOpen(approvals, record);
  return [...approvals.values()];
}

function keepOpen(approvals: Map<string, OpenApproval>, record: JournalRecord): void {
  if (record.type === "approval.requested") approvals.set(record.approval, record);
  if (record.type === "approval.decided") approvals.delete(record.approval);
}
