import { PREFLIGHT } from "../core/authoring/preflight.ts";
import { resolveGatePlace } from "../core/journal/gate-place.ts";
import type { RecordHandlers, Step } from "./record-handlers.ts";

export type PhaseState = "done" | "failed" | "current" | "skipped" | "not started";
export type PhaseView = {
  readonly title: string;
  readonly state: PhaseState;
  /** Why the phase is skipped or failed. */
  readonly reason?: string | undefined;
  /** Why the phase would be failed if nothing more happened in it. */
  readonly failed?: string | undefined;
  /** At least one of its steps has not ended. */
  readonly open: boolean;
  readonly startedAt?: number | undefined;
  /** Total time in which a step of the phase was in progress. A phase that is visited twice has two intervals. */
  readonly ms: number;
  readonly attempts: number;
  readonly retries: number;
};

type Visit = {
  readonly startedAt: number;
  since: number;
  ms: number;
  /** Steps that have not ended. */
  open: number;
  attempts: number;
  retries: number;
  /** True if one of its agents delivered an answer; undefined until an agent has ended. */
  delivered?: boolean;
  /** The latest verdict of each gate of the phase. */
  readonly gates: Map<string, { readonly gate: string; readonly key: string; passed: boolean }>;
};

/** `now` is the time of the last record. */
type PhaseViewOptions = { readonly declared: readonly string[]; readonly finished: boolean; readonly now: number };

const NEVER = { startedAt: 0, since: 0, ms: 0, open: 0, attempts: 0, retries: 0 };

/** Tracks which phases a run has visited and what was spent in each. */
export function createPhases() {
  const visits = new Map<string, Visit>();
  const skipped = new Map<string, string>();
  let latest = "";
  let commits = 0;
  let end: string | undefined;

  const startStep = ({ phase, ts }: Step): void => {
    latest = phase;
    const visit = visits.get(phase) ?? { ...NEVER, startedAt: ts, gates: new Map() };
    visits.set(phase, visit);
    if (visit.open === 0) visit.since = ts;
    visit.open += 1;
  };
  const updateVisit =
    <R>(use: (visit: Visit, record: R) => void) =>
    (record: R, step: Step | undefined): void => {
      const visit = step && visits.get(step.phase);
      if (visit) use(visit, record);
    };
  const endStep = updateVisit((visit, { ts }: { readonly ts: number }) => {
    visit.open -= 1;
    if (visit.open === 0) visit.ms += ts - visit.since;
  });
  const taking: RecordHandlers = {
    "phase.skipped": ({ title, reason }) => void skipped.set(title, reason),
    "step.started": startStep,
    "step.finished": (record, step) => {
      if (step?.verb === "commit" && record.value !== undefined) commits += 1;
      endStep(record, step);
    },
    "gate.evaluated": updateVisit(({ gates }, record) => {
      const { gate, key, passed } = record;
      const before = gates.get(resolveGatePlace(record));
      gates.set(resolveGatePlace(record), { gate, key, passed: passed && (before?.key !== key || before.passed) });
    }),
    "agent.started": updateVisit((visit) => {
      visit.attempts += 1;
    }),
    "agent.retried": updateVisit((visit) => {
      visit.retries += 1;
    }),
    "agent.finished": updateVisit((visit, { outcome }) => {
      visit.delivered ||= outcome === "done";
    }),
    "run.finished": ({ status }) => {
      end = status;
    },
  };

  /**
   * Returns why a phase failed: the run stopped in it, no agent in it delivered, or, if the run produced nothing, its
   * last gate evaluation did not pass.
   */
  const findFailureReason = (title: string): string | undefined => {
    if (end !== undefined && end !== "done" && title === latest) return "the run ended here";
    const visit = visits.get(title);
    if (visit?.delivered === false) return "no agent delivered";
    const bad = end !== undefined && (end !== "done" || commits === 0);
    const missed = bad ? [...(visit?.gates.values() ?? [])].find(({ passed }) => !passed) : undefined;
    return missed && `gate ${missed.gate} did not pass`;
  };
  const toPhaseView = (title: string, { finished, now }: Omit<PhaseViewOptions, "declared">): PhaseView => {
    const visit = visits.get(title);
    const { ms, since, attempts, retries } = visit ?? NEVER;
    const open = visit !== undefined && visit.open > 0;
    const failed = findFailureReason(title);
    const spent = { failed, open, ms: open ? ms + now - since : ms, attempts, retries };
    if (!visit) {
      const reason = skipped.get(title);
      return { title, state: reason === undefined ? "not started" : "skipped", reason, ...spent };
    }
    const { startedAt } = visit;
    if (!finished && (open || title === latest)) return { title, state: "current", startedAt, ...spent };
    return { title, state: failed === undefined ? "done" : "failed", reason: failed, startedAt, ...spent };
  };

  return {
    taking,
    /** Returns the preflight, then the declared phases, then phases that were not declared. */
    view({ declared, finished, now }: PhaseViewOptions): readonly PhaseView[] {
      // The preflight comes first. Pipelines do not declare it.
      const first = visits.has(PREFLIGHT) ? [PREFLIGHT] : [];
      return [...new Set([...first, ...declared, ...visits.keys()])].map((title) =>
        toPhaseView(title, { finished, now }),
      );
    },
  };
}
