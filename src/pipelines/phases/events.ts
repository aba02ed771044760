import type { Decision } from "../../core/authoring/decision.ts";
import type { Rule } from "../../core/authoring/rule.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { EventLine, type EventType, GateEvent, type GateVerdict, type State } from "./gate-event.ts";
import { type Context, traceOf } from "./iteration.ts";
import type { ProjectForm } from "./project-form.ts";

/**
 * The state that the run is in while a gate judges.
 * @rule P-50 (declaration) Each kind of gate has its own kind of event, and each decision makes one.
 */
const STATE_OF: Readonly<Record<EventType, State>> = {
  PLAN_GATE: "PLANNING",
  PLAN_REVIEW_GATE: "PLAN_REVIEW",
  PREFLECT_GATE: "ACTING",
  PHASE_REVIEW_GATE: "REVIEWING",
  HIGH_RISK_APPROVAL_GATE: "WAITING_APPROVAL",
  COMPLETION_GATE: "REVIEWING",
};

type EventExtras = Partial<
  Pick<GateEvent, "safety_checks" | "assumption_verifier_status" | "executability_verifier_status">
>;

export type Gate<About> = {
  readonly type: EventType;
  readonly rules: readonly Rule<About>[];
  readonly about: About;
  /** The phase that the gate judges, where it judges one. */
  readonly phase?: number;
  /** Where the run stands, when it is not where this gate usually judges. */
  readonly state?: State;
  /** 1 where evidence decides; the plan's or the reviewer's own number elsewhere. */
  readonly confidence?: number;
  /** What a miss is, unless it blocks: back to the planner without it. */
  readonly miss?: (decision: Decision) => Exclude<GateVerdict, "GO">;
  /** Whether a person is asked next; a block always asks. */
  readonly asks?: (decision: Decision) => boolean;
  /** What happens next, after a pass and after a miss. */
  readonly next: { readonly go: string; readonly miss: string };
  readonly extras?: EventExtras;
};

type Needs = Pick<Verbs<unknown>, "gate" | "see" | "note" | "write">;

/**
 * The one way to a decision of this pipeline: judged, reported as one event, appended to the event file.
 * @rule P-36 (policy) Every decision is one valid line of a file that only grows and that nothing reads.
 */
export async function decide<About extends Record<string, unknown>>(
  verbs: Needs,
  context: Context,
  gate: Gate<About>,
): Promise<Decision> {
  const name = gate.phase === undefined ? gate.type : `${gate.type} phase-${gate.phase}`;
  const decision = await verbs.gate(name, gate.rules, { ...gate.about, ...traceOf(context) });
  const event = gateEvent(context, gate, decision);
  const ts = new Date(await verbs.see("now")).toISOString();
  const { trace_id, agent, phase_id: phase } = event;
  context.events.add(context.lane ?? 0, { trace_id, ts, agent, phase, event_type: "gate_event", payload: event });
  await verbs.note(reportOf(event));
  if (context.lane === undefined) await writeEvents(verbs, context);
  return decision;
}

/** Brings the event file up to date; for where branches come together. */
export async function writeEvents({ write }: Pick<Needs, "write">, { events, task }: Context): Promise<void> {
  await write(eventsPath(task), events.text());
}

export const eventsPath = (task: string): string => `plans/artifacts/observability/${task}.ndjson`;

export type EventLog = {
  /** Branches add to lanes of their own, so that the order does not depend on who was quicker. */
  add(lane: number, line: EventLine): void;
  /** Everything so far; what was in it once stays where it was. */
  text(): string;
};

/** `words`: those that the project's own schema of events knows, where it has one. */
export function openEvents(words?: ProjectForm["events"]): EventLog {
  const written: EventLine[] = [];
  const lanes = new Map<number, EventLine[]>();
  return {
    add(lane, line) {
      const payload = words ? inWords(line.payload, words) : line.payload;
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

/** A review of the plan is part of planning to projects that know no state of its own for it. */
function inWords(event: GateEvent, words: NonNullable<ProjectForm["events"]>): GateEvent {
  const event_type = words.event_type.includes(event.event_type) ? event.event_type : "PLAN_GATE";
  const workflow_state = words.workflow_state.includes(event.workflow_state) ? event.workflow_state : "PLANNING";
  return { ...event, event_type, workflow_state };
}

/** The event of a decision: what people, logs and the event file are told. */
export function gateEvent<About>(context: Context, gate: Gate<About>, decision: Decision): GateEvent {
  const verdict = verdictOf(gate, decision);
  const { passed, findings } = decision;
  return GateEvent.parse({
    schema_version: "1.1.0",
    agent: "Orchestrator",
    event_type: gate.type,
    workflow_state: gate.state ?? STATE_OF[gate.type],
    phase_id: gate.phase ?? null,
    decision: verdict,
    confidence: gate.confidence ?? 1,
    requires_human_approval: verdict === "BLOCKED" || (gate.asks?.(decision) ?? false),
    reason: passed ? heldBy(gate.rules) : missedBy(findings.map((finding) => finding.message)),
    next_action: passed ? gate.next.go : gate.next.miss,
    ...traceOf(context),
    ...gate.extras,
  });
}

/**
 * The same as labelled lines, which is how `status` shows notes.
 * @rule P-74 (policy) People read a gate's report as lines with labels; JSON is for those who ask for it.
 */
export function reportOf(event: GateEvent): Record<string, string> {
  const { event_type, phase_id } = event;
  return {
    Gate: phase_id === null ? event_type : `${event_type} phase-${phase_id}`,
    Decision: event.decision,
    Confidence: String(event.confidence),
    "Requires human approval": event.requires_human_approval ? "yes" : "no",
    Reason: event.reason,
    "Next action": event.next_action,
  };
}

/**
 * @rule P-37 (policy) A gate reports GO, REPLAN, ABSTAIN or BLOCKED, how sure it is, whether a person is needed, one
 *   reason and what comes next.
 */
function verdictOf<About>({ miss }: Gate<About>, decision: Decision): GateVerdict {
  if (decision.passed) return "GO";
  return decision.blocked ? "BLOCKED" : (miss?.(decision) ?? "REPLAN");
}

function heldBy(rules: readonly { readonly because: string }[]): string {
  return rules.length === 1 ? (rules[0]?.because ?? "") : `all ${rules.length} rules of the gate hold`;
}

/** One sentence: the decision itself has the rest. */
const SENTENCE = 3;

function missedBy([first = "the gate was missed", ...others]: readonly string[]): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const said = first.replace(/\s+/g, " ").trim();
  // A reviewer may say no more than "x"; a reason is a sentence all the same.
  return `${said.length < SENTENCE ? `the gate was missed: ${said}` : said}${more}`;
}
