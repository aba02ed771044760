import type { Decision } from "../../core/authoring/decision.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { createGateEvent, EventLine, formatGateReport, type GateEvent, type GateRequest } from "./gate-event.ts";
import type { ProjectForm } from "./project-form.ts";
import { getTrace, type PhasesContext } from "./run-context.ts";

type EventVerbs = Pick<Verbs<unknown>, "gate" | "see" | "note" | "write">;

/**
 * Makes every decision of this pipeline: judges it, reports one event, and appends it to the event file.
 * @rule P-36 (policy) Every gate decision is one schema-valid line of a file that is only appended to and that nothing
 *   reads for control flow.
 */
export async function decideGate<About extends Record<string, unknown>>(
  verbs: EventVerbs,
  context: PhasesContext,
  gate: GateRequest<About>,
): Promise<Decision> {
  const name = gate.phase === undefined ? gate.type : `${gate.type} phase-${gate.phase}`;
  const decision = await verbs.gate(name, gate.rules, { ...gate.about, ...getTrace(context) });
  const event = createGateEvent(context, gate, decision);
  const ts = new Date(await verbs.see("now")).toISOString();
  const { trace_id, agent, phase_id: phase } = event;
  context.events.add(context.lane ?? 0, { trace_id, ts, agent, phase, event_type: "gate_event", payload: event });
  await verbs.note(formatGateReport(event));
  if (context.lane === undefined) await writeEvents(verbs, context);
  return decision;
}

/** Writes the collected events; called where branches join. */
export async function writeEvents(
  { write }: Pick<EventVerbs, "write">,
  { events, task }: PhasesContext,
): Promise<void> {
  await write(getEventsPath(task), events.text());
}

export const getEventsPath = (task: string): string => `plans/artifacts/observability/${task}.ndjson`;

export type EventLog = {
  /** Each branch adds to its own lane, so that the order does not depend on timing. */
  add(lane: number, line: EventLine): void;
  /** All events so far. Written lines keep their position. */
  text(): string;
};

/** Creates an empty event log. `words`: the values that the project's own event schema allows, if it has one. */
export function openEvents(words?: ProjectForm["events"]): EventLog {
  const written: EventLine[] = [];
  const lanes = new Map<number, EventLine[]>();
  return {
    add(lane, line) {
      const payload = words ? mapToSchema(line.payload, words) : line.payload;
      lanes.set(lane, [...(lanes.get(lane) ?? []), EventLine.parse({ ...line, payload })]);
    },
    text() {
      const ready = [...lanes.entries()].sort(([a], [b]) => a - b).flatMap(([, lines]) => lines);
      written.push(...ready);
      lanes.clear();
      return written.map((line) => `${JSON.stringify(line)}\n`).join("");
    },
  };
}

/** Maps the plan review to planning for projects whose schema has no state for it. */
function mapToSchema(event: GateEvent, words: NonNullable<ProjectForm["events"]>): GateEvent {
  const event_type = words.event_type.includes(event.event_type) ? event.event_type : "PLAN_GATE";
  const workflow_state = words.workflow_state.includes(event.workflow_state) ? event.workflow_state : "PLANNING";
  return { ...event, event_type, workflow_state };
}
