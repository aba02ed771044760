import { z } from "zod";

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
