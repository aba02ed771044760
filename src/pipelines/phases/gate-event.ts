import { z } from "zod";
import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Rule } from "../../core/authoring/rule.ts";
import { getTrace, type PhasesContext } from "./run-context.ts";

export const STATES = ["PLANNING", "WAITING_APPROVAL", "PLAN_REVIEW", "ACTING", "REVIEWING", "COMPLETE"] as const;
export type RunPhase = (typeof STATES)[number];
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
 * State of the run while a gate judges.
 * @rule P-50 (declaration) The event types are PLAN_GATE, PLAN_REVIEW_GATE, PREFLECT_GATE, PHASE_REVIEW_GATE,
 *   HIGH_RISK_APPROVAL_GATE and COMPLETION_GATE; each decision produces exactly one event.
 */
const STATE_OF: Readonly<Record<EventType, RunPhase>> = {
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

export type GateRequest<About> = {
  readonly type: EventType;
  readonly rules: readonly Rule<About>[];
  readonly about: About;
  /** The phase that the gate judges. */
  readonly phase?: number;
  /** The state, if it is not the gate's usual one. */
  readonly state?: RunPhase;
  /** 1 where evidence decides; otherwise the number given by the plan or the reviewer. */
  readonly confidence?: number;
  /** Verdict of a failed gate that does not block. Default: REPLAN. */
  readonly miss?: (decision: Decision) => Exclude<GateVerdict, "GO">;
  /** Returns true if a person is asked next; a block always asks. */
  readonly asks?: (decision: Decision) => boolean;
  /** Next action after a pass and after a failure. */
  readonly next: { readonly go: string; readonly miss: string };
  readonly extras?: EventExtras;
};

/** Builds the event of a decision for people, logs and the event file. */
export function createGateEvent<About>(
  context: PhasesContext,
  gate: GateRequest<About>,
  decision: Decision,
): GateEvent {
  const verdict = selectGateVerdict(gate, decision);
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
    reason: passed
      ? formatPassReason(gate.rules, findings)
      : formatMissReason(findings.map((finding) => finding.message)),
    next_action: passed ? gate.next.go : gate.next.miss,
    ...getTrace(context),
    ...gate.extras,
  });
}

/**
 * @rule P-37 (policy) A gate reports GO, REPLAN, ABSTAIN or BLOCKED, its confidence, whether approval is needed, a
 *   one-sentence reason and the next action.
 */
function selectGateVerdict<About>({ miss }: GateRequest<About>, decision: Decision): GateVerdict {
  if (decision.passed) return "GO";
  return decision.blocked ? "BLOCKED" : (miss?.(decision) ?? "REPLAN");
}

/** Adds what a person accepted without a review; that is no rule that holds. */
function formatPassReason(rules: readonly { readonly because: string }[], findings: readonly Finding[]): string {
  const held = rules.length === 1 ? (rules[0]?.because ?? "") : `all ${rules.length} rules of the gate hold`;
  return [held, ...findings.filter(({ by }) => by === "unreviewed").map(({ message }) => message)].join("; ");
}

/** Shortest reason that the schema accepts. */
const SHORTEST_REASON = 3;

function formatMissReason([first = "the gate failed", ...others]: readonly string[]): string {
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const text = first.replace(/\s+/g, " ").trim();
  // A finding may be as short as "x"; the reason must still be a sentence.
  return `${text.length < SHORTEST_REASON ? `the gate failed: ${text}` : text}${more}`;
}

/**
 * Formats an event as labelled lines for `status`.
 * @rule P-74 (policy) Gate reports are labelled lines; raw JSON appears only on request.
 */
export function formatGateReport(event: GateEvent): Record<string, string> {
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
