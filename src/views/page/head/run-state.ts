import { selectLatestDecisions } from "../../gates.ts";
import { describeStatus, type Presence } from "../../run-status-text.ts";
import type { RunView } from "../../run-view.ts";
import type { StateName } from "../../states.ts";
import { formatMissedGates } from "../rows/phase-rows.ts";

/** The state of a run and the reason for it. A run is `done` only if every gate passed in the end. */
export type RunState = { readonly state: StateName; readonly because: string; readonly next: readonly string[] };

export function resolveRunState(view: RunView, presence: Presence, missed = listMissedGates(view)): RunState {
  const { status, because, next } = describeStatus(view, presence);
  if (status === "done" && missed.length > 0) {
    return { state: "ended", because: `${because}; ${formatMissedGates(missed)}`, next };
  }
  // A run that ended with another exit code has not reached the required confidence, so it is not done.
  if (status === "done" && view.end?.exit !== 0) return { state: "ended", because, next };
  return {
    state: status === "waiting" ? resolveWaitingState(view, presence) : (STATES[status] ?? "unknown"),
    because,
    next,
  };
}

export function listMissedGates(view: Pick<RunView, "gates">): readonly string[] {
  return selectLatestDecisions(view).flatMap(({ gate, passed }) => (passed ? [] : [gate]));
}

const STATES: Readonly<Record<string, StateName>> = {
  running: "running",
  stopped: "stale",
  paused: "paused",
  budget: "paused",
  time: "paused",
  interrupted: "interrupted",
  broken: "error",
  done: "done",
  error: "error",
  blocked: "error",
  stalled: "error",
  canceled: "canceled",
};

/** A question that is answered waits for an engine, no longer for a person. */
function resolveWaitingState({ open }: RunView, { answered }: Presence): StateName {
  return open.length > 0 && open.every(({ approval }) => answered.has(approval)) ? "queued" : "waiting";
}
