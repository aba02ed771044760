import { z } from "zod";
import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Rule } from "../../core/authoring/rule.ts";
import { type Context, traceOf } from "./iteration.ts";

export const STATES = ["PLANNING", "WAITING_APPROVAL", "PLAN_REVIEW", "ACTING", "REVIEWING", "COMPLETE"] as const;
export type State = (typeof STATES)[number];
const GATE_VERDICTS = ["GO", "REPLAN", "ABSTAIN", "BLOCKED"] as const;
export type GateVerdict = (typeof GATE_VERDICTS)[number];

const EVENT_TYPES = [
  "PLAN_GATE",
  "PLAN_REVIEW_GATE",
  "PREFLECT_GATE",
  "PHASE_REVIEW_GATE",
  "HIGH_RISK_APPROVAL_GATE",
  "COMPLETION_GATE",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
const SAFETY_CHECKS = [
  "pii_checked",
  "destructive_action_checked",
  "scope_checked",
  "policy_checked",
  "todo_verified",
] as const;

export const GateEvent = z.strictObject({
  schema_version: z.literal("1.1.0"),
  agent: z.literal("Orchestrator"),
  event_type: z.enum(EVENT_TYPES),
  workflow_state: z.enum(STATES),
  phase_id: z.number().int().min(1).nullable(),
  decision: z.enum(GATE_VERDICTS),
  confidence: z.number().min(0).max(1),
  requires_human_approval: z.boolean(),
  reason: z.string().min(3),
  next_action: z.string().min(3),
  trace_id: z.uuidv4(),
  iteration_index: z.number().int().min(0),
  max_iterations: z.number().int().min(1).max(5),
  safety_checks: z.array(z.enum(SAFETY_CHECKS)).optional(),
  assumption_verifier_status: z.enum(["COMPLETE", "ABSTAIN", "NOT_RUN"]).optional(),
  executability_verifier_status: z.enum(["PASS", "FAIL", "WARN", "ABSTAIN", "NOT_RUN"]).optional(),
});
export type GateEvent = z.infer<typeof GateEvent>;

/** One line of the event file. */
export const EventLine = z.strictObject({
  trace_id: z.uuidv4(),
  ts: z.iso.datetime({ precision: 3 }),
  agent: z.literal("Orchestrator"),
  phase: z.number().int().nullable(),
  event_type: z.literal("gate_event"),
  payload: GateEvent,
});
export type EventLine = z.infer<typeof EventLine>;

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
    reason: passed ? heldBy(gate.rules, findings) : missedBy(findings.map((finding) => finding.message)),
    next_action: passed ? gate.next.go : gate.next.miss,
    ...traceOf(context),
    ...gate.extras,
  });
}

/**
 * @rule P-37 (policy) A gate reports GO, REPLAN, ABSTAIN or BLOCKED, how sure it is, whether a person is needed, one
 *   reason and what comes next.
 */
function verdictOf<About>({ miss }: Gate<About>, decision: Decision): GateVerdict {
  if (decision.passed) return "GO";
  return decision.blocked ? "BLOCKED" : (miss?.(decision) ?? "REPLAN");
}

/** What a person let pass is no rule that holds: it is said beside them. */
function heldBy(rules: readonly { readonly because: string }[], findings: readonly Finding[]): string {
  const held = rules.length === 1 ? (rules[0]?.because ?? "") : `all ${rules.length} rules of the gate hold`;
  return [held, ...findings.filter(({ by }) => by === "unreviewed").map(({ message }) => message)].join("; ");
}

/** One sentence: the decision itself has the rest. */
const SENTENCE = 3;

function missedBy([first = "the gate was missed", ...others]: readonly string[]): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const said = first.replace(/\s+/g, " ").trim();
  // A reviewer may say no more than "x"; a reason is a sentence all the same.
  return `${said.length < SENTENCE ? `the gate was missed: ${said}` : said}${more}`;
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
