import { PREFLIGHT } from "../core/authoring/preflight.ts";
import { gatePlace } from "../core/journal/gate-place.ts";
import type { Step, Taking } from "./taking.ts";

export type PhaseState = "done" | "failed" | "current" | "skipped" | "not started";
export type PhaseView = {
  readonly title: string;
  readonly state: PhaseState;
  /** Why it is skipped or failed. */
  readonly reason?: string | undefined;
  /** Why it would be failed if nothing more came of it. */
  readonly failed?: string | undefined;
  /** A step of it has not ended. */
  readonly open: boolean;
  readonly startedAt?: number | undefined;
  /** How long some step of it was under way: a phase that is visited twice has two stretches. */
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
  /** Whether its agents have delivered something; undefined while none has ended. */
  delivered?: boolean;
  /** The newest word of each of its gates, rule by rule. */
  readonly gates: Map<string, { readonly gate: string; readonly key: string; passed: boolean }>;
};

/** `now`: when the last record was written. */
type ViewedAt = { readonly declared: readonly string[]; readonly finished: boolean; readonly now: number };

const NEVER = { startedAt: 0, since: 0, ms: 0, open: 0, attempts: 0, retries: 0 };

/** Which headings a run has come to, and what was spent under each. */
export function createPhases() {
  const visits = new Map<string, Visit>();
  const skipped = new Map<string, string>();
  let latest = "";
  let commits = 0;
  let end: string | undefined;

  const begun = ({ phase, ts }: Step): void => {
    latest = phase;
    const visit = visits.get(phase) ?? { ...NEVER, startedAt: ts, gates: new Map() };
    visits.set(phase, visit);
    if (visit.open === 0) visit.since = ts;
    visit.open += 1;
  };
  const within =
    <R>(use: (visit: Visit, record: R) => void) =>
    (record: R, step: Step | undefined): void => {
      const visit = step && visits.get(step.phase);
      if (visit) use(visit, record);
    };
  const closed = within((visit, { ts }: { readonly ts: number }) => {
    visit.open -= 1;
    if (visit.open === 0) visit.ms += ts - visit.since;
  });
  const taking: Taking = {
    "phase.skipped": ({ title, reason }) => void skipped.set(title, reason),
    "step.started": begun,
    "step.finished": (record, step) => {
      if (step?.verb === "commit" && record.value !== undefined) commits += 1;
      closed(record, step);
    },
    "gate.evaluated": within(({ gates }, record) => {
      const { gate, key, passed } = record;
      const before = gates.get(gatePlace(record));
      gates.set(gatePlace(record), { gate, key, passed: passed && (before?.key !== key || before.passed) });
    }),
    "agent.started": within((visit) => {
      visit.attempts += 1;
    }),
    "agent.retried": within((visit) => {
      visit.retries += 1;
    }),
    "agent.finished": within((visit, { outcome }) => {
      visit.delivered ||= outcome === "done";
    }),
    "run.finished": ({ status }) => {
      end = status;
    },
  };

  /**
   * Why it has come to nothing: the one that the run broke off in, those in which agents were asked in vain, and, where
   * nothing good came of the run, those with a gate that was missed to the last.
   */
  const failedBy = (title: string): string | undefined => {
    if (end !== undefined && end !== "done" && title === latest) return "the run ended here";
    const visit = visits.get(title);
    if (visit?.delivered === false) return "nobody delivered";
    const bad = end !== undefined && (end !== "done" || commits === 0);
    const missed = bad ? [...(visit?.gates.values() ?? [])].find(({ passed }) => !passed) : undefined;
    return missed && `gate ${missed.gate} did not pass`;
  };
  const phaseOf = (title: string, { finished, now }: Omit<ViewedAt, "declared">): PhaseView => {
    const visit = visits.get(title);
    const { ms, since, attempts, retries } = visit ?? NEVER;
    const open = visit !== undefined && visit.open > 0;
    const failed = failedBy(title);
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
    /** Those that are declared, after what came before all of them and before what nobody had declared. */
    view({ declared, finished, now }: ViewedAt): readonly PhaseView[] {
      // No pipeline declares the preflight, and it comes before all that one does.
      const first = visits.has(PREFLIGHT) ? [PREFLIGHT] : [];
      return [...new Set([...first, ...declared, ...visits.keys()])].map((title) => phaseOf(title, { finished, now }));
    },
  };
}
