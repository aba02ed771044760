import type { Json } from "../../../core/text/json.ts";
import { countFaultsByClass } from "../acting/failures.ts";
import type { RunPhase } from "../gate-event.ts";
import type { Phase } from "../planning/plan.ts";
import type { Progress } from "../progress.ts";

type StatusInput = {
  readonly state: RunPhase;
  /** The phases that the status is about. */
  readonly phases: readonly Phase[];
  readonly active?: boolean;
  readonly last: string;
  readonly next: string;
};

/** @rule P-44 (code) Status comes from the journal alone, also while the run is down. */
export function describeRunState({ plan, history }: Progress, moment: StatusInput): Record<string, Json> {
  const waves = [...new Set(plan.phases.map((phase) => phase.wave))].sort((a, b) => a - b);
  const { phases } = moment;
  const wave = phases[0] ? waves.indexOf(phases[0].wave) + 1 : waves.length;
  const ids = phases.length > 0 ? phases.map((phase) => phase.phase_id) : [plan.phases.length];
  const titles = phases.map((phase) => phase.title).join(", ");
  return {
    state: moment.state,
    phase: `${ids.join(", ")} of ${plan.phases.length}${titles && ` — ${titles}`}`,
    wave: `${wave} of ${waves.length}`,
    active_agents: moment.active ? [...new Set(phases.map((phase) => phase.executor_agent ?? ""))] : [],
    last_action: moment.last,
    next_action: moment.next,
    retries: countFaultsByClass(history.map(({ fault }) => fault)),
  };
}
