import { PREFLIGHT } from "../../../core/authoring/preflight.ts";
import type { PhaseView } from "../../phases.ts";
import type { Step } from "../../record-handlers.ts";
import type { StateName } from "../../states.ts";
import type { PhaseRow } from "../page.ts";
import { toCheckState } from "./check-rows.ts";
import { createGateTotals } from "./gate-totals.ts";
import type { MarkChanged, RowContext, RowProducer, RowWithoutSeq } from "./row-producer.ts";

/** Creates one row per phase of a run, including phases that have not started. */
export function createPhaseRows(touch: MarkChanged): RowProducer {
  const positions = new Map<string, number>();
  const gates = createGateTotals();
  /** The latest result of each check, by phase. */
  const checks = new Map<string, Map<string, StateName>>();
  const toRowId = (title: string): string => `phase:${title}`;
  const touchPhase = (title: string, seq: number): void => {
    if (!positions.has(title)) positions.set(title, title === PREFLIGHT ? 0 : positions.size + 1);
    touch(toRowId(title), { seq, live: true });
  };
  const touchPhaseOfStep = ({ seq }: { readonly seq: number }, step: Step | undefined): void => {
    if (step) touchPhase(step.phase, seq);
  };
  return {
    taking: {
      "run.started": ({ phases, seq }) => {
        for (const title of phases) touchPhase(title, seq);
      },
      "phase.skipped": ({ title, seq }) => touchPhase(title, seq),
      "step.started": touchPhaseOfStep,
      "step.finished": (record, step) => {
        gates.ended(record);
        touchPhaseOfStep(record, step);
      },
      "agent.started": touchPhaseOfStep,
      "agent.retried": touchPhaseOfStep,
      "agent.finished": touchPhaseOfStep,
      "gate.evaluated": (record, step) => {
        gates.judged(record, step);
        touchPhaseOfStep(record, step);
      },
      "evidence.recorded": (record, step) => {
        const phase = step?.phase ?? "";
        const seen = checks.get(phase) ?? new Map<string, StateName>();
        checks.set(phase, seen.set(`${record.task}\n${record.check}\n${record.phase}`, toCheckState(record)));
        touchPhaseOfStep(record, step);
      },
    },
    row(id, at) {
      const title = id.slice(toRowId("").length);
      const found = at.view.phases.find((each) => each.title === title);
      const seen = [...(checks.get(title)?.values() ?? [])];
      const verdict = judgePhase({ ...gates.in(title), seen });
      return toPhaseRow({ id, title, position: positions.get(title) ?? 0, found, verdict }, at);
    },
  };
}

type PhaseVerdict = { readonly state: StateName; readonly because: string };

/** Derives the verdict from the gates of the phase. A phase without gates passes if all its checks passed. */
function judgePhase(phase: {
  readonly passed: number;
  readonly missed: readonly string[];
  readonly seen: readonly StateName[];
}): PhaseVerdict {
  const { passed, missed, seen } = phase;
  if (missed.length > 0) return { state: "ended", because: formatMissedGates(missed) };
  if (passed > 0) return { state: "passed", because: "" };
  const isGreen = seen.length > 0 && seen.every((each) => each === "passed");
  return { state: isGreen ? "passed" : "ended", because: "" };
}

export function formatMissedGates(missed: readonly string[]): string {
  const names = [...new Set(missed)];
  return names.length === 1 ? `gate ${names[0]} did not pass` : `gates ${names.join(", ")} did not pass`;
}

type PhaseRowInputs = {
  readonly id: string;
  readonly title: string;
  readonly position: number;
  readonly found: PhaseView | undefined;
  readonly verdict: PhaseVerdict;
};

function toPhaseRow({ id, title, position, found, verdict }: PhaseRowInputs, at: RowContext): RowWithoutSeq<PhaseRow> {
  return {
    kind: "phase",
    id,
    phase: title,
    ...resolvePhaseState(found, verdict, at),
    title,
    position,
    startedAt: found?.startedAt ?? null,
    ms: found?.ms ?? 0,
    dispatches: found?.attempts ?? 0,
    retries: found?.retries ?? 0,
  };
}

function resolvePhaseState(found: PhaseView | undefined, verdict: PhaseVerdict, at: RowContext): PhaseVerdict {
  const because = found?.reason ?? "";
  switch (found?.state) {
    case "current":
      return { state: at.state, because: "" };
    case "done":
      return verdict;
    case "failed":
      return { state: "failed", because };
    case "skipped":
      return { state: "skipped", because };
    default:
      return { state: "not-started", because };
  }
}
