import { PREFLIGHT } from "../../../core/authoring/preflight.ts";
import type { PhaseView } from "../../phases.ts";
import type { StateName } from "../../states.ts";
import type { Step } from "../../taking.ts";
import type { PhaseRow } from "../page.ts";
import { checkState } from "./check-rows.ts";
import type { RowContext, RowPart, Touch, Unstamped } from "./row-part.ts";
import { createStandingGates } from "./standing-gates.ts";

/** The headings of a run, those among them that nobody has come to. */
export function createPhaseRows(touch: Touch): RowPart {
  const positions = new Map<string, number>();
  const gates = createStandingGates();
  /** By phase: the newest word on each check. */
  const checks = new Map<string, Map<string, StateName>>();
  const idOf = (title: string): string => `phase:${title}`;
  const heard = (title: string, seq: number): void => {
    if (!positions.has(title)) positions.set(title, title === PREFLIGHT ? 0 : positions.size + 1);
    touch(idOf(title), { seq, live: true });
  };
  const within = ({ seq }: { readonly seq: number }, step: Step | undefined): void => {
    if (step) heard(step.phase, seq);
  };
  return {
    taking: {
      "run.started": ({ phases, seq }) => {
        for (const title of phases) heard(title, seq);
      },
      "phase.skipped": ({ title, seq }) => heard(title, seq),
      "step.started": within,
      "step.finished": (record, step) => {
        gates.ended(record);
        within(record, step);
      },
      "agent.started": within,
      "agent.retried": within,
      "agent.finished": within,
      "gate.evaluated": (record, step) => {
        gates.judged(record, step);
        within(record, step);
      },
      "evidence.recorded": (record, step) => {
        const phase = step?.phase ?? "";
        const seen = checks.get(phase) ?? new Map<string, StateName>();
        checks.set(phase, seen.set(`${record.task}\n${record.check}\n${record.phase}`, checkState(record)));
        within(record, step);
      },
    },
    row(id, at) {
      const title = id.slice(idOf("").length);
      const found = at.view.phases.find((each) => each.title === title);
      const seen = [...(checks.get(title)?.values() ?? [])];
      const verdict = verdictOf({ ...gates.in(title), seen });
      return phaseRow({ id, title, position: positions.get(title) ?? 0, found, verdict }, at);
    },
  };
}

type Verdict = { readonly state: StateName; readonly because: string };

/** Green is what a gate let through, or where there is none what the engine saw pass. */
function verdictOf(phase: {
  readonly passed: number;
  readonly missed: readonly string[];
  readonly seen: readonly StateName[];
}): Verdict {
  const { passed, missed, seen } = phase;
  if (missed.length > 0) return { state: "ended", because: missedText(missed) };
  if (passed > 0) return { state: "passed", because: "" };
  const isGreen = seen.length > 0 && seen.every((each) => each === "passed");
  return { state: isGreen ? "passed" : "ended", because: "" };
}

export function missedText(missed: readonly string[]): string {
  const names = [...new Set(missed)];
  return names.length === 1 ? `gate ${names[0]} did not pass` : `gates ${names.join(", ")} did not pass`;
}

type Parts = {
  readonly id: string;
  readonly title: string;
  readonly position: number;
  readonly found: PhaseView | undefined;
  readonly verdict: Verdict;
};

function phaseRow({ id, title, position, found, verdict }: Parts, at: RowContext): Unstamped<PhaseRow> {
  return {
    kind: "phase",
    id,
    phase: title,
    ...stateOf(found, verdict, at),
    title,
    position,
    startedAt: found?.startedAt ?? null,
    ms: found?.ms ?? 0,
    dispatches: found?.attempts ?? 0,
    retries: found?.retries ?? 0,
  };
}

function stateOf(found: PhaseView | undefined, verdict: Verdict, at: RowContext): Verdict {
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
