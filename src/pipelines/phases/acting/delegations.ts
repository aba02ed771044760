import { z } from "zod";
import type { Role } from "../../../core/authoring/role.ts";
import type { Answer, Verbs } from "../../../core/authoring/verbs.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import { Phase } from "../planning/plan.ts";
import { getTrace, type PhasesContext } from "../run-context.ts";
import { createRetry } from "./failures.ts";
import type { FailureClass } from "./reply.ts";

const text = z.string().min(1);
/** Fields of every delegation: scope, expected output, references, and the trace of the run. */
const common = {
  scope: text,
  expected_output: text,
  context_references: z.array(text).min(1),
  trace_id: z.uuidv4(),
  iteration_index: z.number().int().min(0),
  max_iterations: z.number().int().min(1).max(5),
  retry_attempt: z.number().int().min(1).optional(),
  fix_hint: z.string().optional(),
};
const phaseId = z.number().int().min(1);
const findings = z.array(z.json()).optional();

const executor = {
  ...common,
  task_id: text,
  phase_id: phaseId,
  task_definition: Phase,
  findings,
  /** The message that the commit would have, for the executor that handles a person's rejection. */
  commit_message: text.optional(),
  /** Files that the previous attempt changed outside its phase and that were discarded. */
  dropped_files: z.array(text).optional(),
  /** Files of the previous attempt that are in the working directory. */
  already_there: z.array(text).optional(),
  /** Work of other phases of the wave that is not in this tree yet. */
  beside: z.array(text).optional(),
  /** Answers of people to questions of this phase. */
  choices: z.array(z.json()).optional(),
  decisions: z.array(z.json()).optional(),
  safety: z.array(text).min(1),
  /** Helpful but long: what earlier phases delivered and what failed checks printed. */
  background: z.json().optional(),
};
const planReview = {
  ...common,
  task_description: text.optional(),
  plan_path: text,
  plan_summary: text,
  plan: z.json(),
  decisions: z.array(z.json()).optional(),
};

/**
 * A plan for the whole task needs its scope; the replan of one phase needs that phase.
 * @rule P-47 (policy) CodeMapper and Researcher explore first; the planner is dispatched only after the scope is
 *   recorded.
 */
function requireScope({
  value,
  issues,
}: z.core.ParsePayload<{ research_scope?: unknown; failed_phase?: unknown }>): void {
  if (value.research_scope !== undefined || value.failed_phase !== undefined) return;
  issues.push({ code: "custom", path: ["research_scope"], message: "must be recorded first", input: value });
}

/** Payload schema per agent. A payload that does not match is refused before it is sent. */
export const DELEGATIONS = {
  CodeMapper: z.strictObject({ ...common, scope_description: text, phase_id: phaseId.optional() }),
  Researcher: z.strictObject({ ...common, research_query: text, phase_id: phaseId.optional() }),
  Planner: z
    .strictObject({
      ...common,
      task_description: text,
      /** The scope of the task. */
      research_scope: z.strictObject({ in: z.array(text).min(1), out: z.array(text).min(1) }).optional(),
      research: z.json().optional(),
      findings,
      note: z.string().optional(),
      decisions: z.array(z.json()).optional(),
      plan: z.json().optional(),
      revision_of: text.optional(),
      failed_phase: Phase.optional(),
      evidence: z.json().optional(),
    })
    .check(requireScope),
  PlanAuditor: z.strictObject({
    ...planReview,
    task_id: text,
    focus_areas: z.array(text).optional(),
    verified_items: z.array(z.json()).optional(),
  }),
  AssumptionVerifier: z.strictObject(planReview),
  ExecutabilityVerifier: z.strictObject(planReview),
  CoreImplementer: z.strictObject(executor),
  UIImplementer: z.strictObject(executor),
  PlatformEngineer: z.strictObject({ ...executor, environment: z.enum(["development", "staging", "production"]) }),
  TechnicalWriter: z.strictObject({ ...executor, task_type: z.enum(["documentation", "walkthrough", "update"]) }),
  BrowserTester: z.strictObject(executor),
  CodeReviewer: z.strictObject({
    ...common,
    phase_id: z.number().int().min(0),
    /** Empty only for a phase that drives a browser and changes no file. */
    changed_files: z.array(text),
    review_scope: z.enum(["phase", "wave", "final"]),
    review_depth: z.enum(["full", "standard", "lightweight"]).optional(),
    review_mode: z.enum(["standard", "security"]).optional(),
    phase_scope: z.json().optional(),
    execution_report: z.json().optional(),
    /** The findings with which a person sent the work back. */
    findings,
    /** The message that the commit of the whole work would have. */
    commit_message: text.optional(),
    evidence: z.json().optional(),
    task_description: text.optional(),
    beside: z.array(text).optional(),
    /** Issues raised in earlier rounds of this review. */
    reviewed_before: z.array(z.json()).optional(),
    /** Serious issues of the last answer that the reviewer neither confirmed nor rejected. */
    left_open: z.array(z.json()).optional(),
    decisions: z.array(z.json()).optional(),
    diff: z.string().optional(),
    plan_phases_snapshot: z.array(z.strictObject({ phase_id: phaseId, files: z.array(text) })).optional(),
  }),
} as const;
export type AgentName = keyof typeof DELEGATIONS;

/** The expected output named in every delegation: a word for it and the contract fields that carry it. */
export const EXPECTED_OUTPUTS: Readonly<Record<AgentName, string>> = {
  CodeMapper: "discovery: search_runs, files, answer, next_steps",
  Researcher: "findings: scope_in, scope_out, key_findings, implementation_options, open_questions",
  Planner: "plan: phases, risk_review, design_decisions, complexity_tier",
  PlanAuditor: "audit: status, findings, verified_items, scoring",
  AssumptionVerifier: "mirages: mirage_findings",
  ExecutabilityVerifier: "simulation: tasks_simulated, findings",
  CoreImplementer: "execution report: summary, changes, tests, build, lint",
  UIImplementer: "execution report: summary, ui_changes, tests, build, lint",
  PlatformEngineer: "execution report: summary, changes, tests, build, lint",
  TechnicalWriter: "execution report: summary, docs_created, docs_updated",
  BrowserTester: "execution report: summary, changes",
  CodeReviewer: "verdict: status, issues, validated_blocking_issues",
};

export type Delegation = { readonly payload: Readonly<Record<string, unknown>>; readonly problems: readonly string[] };

export type DelegationBrief = { readonly scope: string; readonly context_references: readonly string[] } & Readonly<
  Record<string, unknown>
>;

/** Builds the payload and validates it. A payload with problems is never sent. */
export function buildDelegation(context: PhasesContext, agent: AgentName, brief: DelegationBrief): Delegation {
  const payload = { ...brief, expected_output: EXPECTED_OUTPUTS[agent], ...getTrace(context) };
  const parsed = DELEGATIONS[agent].safeParse(payload);
  const problems = parsed.error?.issues.map(
    ({ path, message }) => `${agent}: ${path.join(".") || "payload"}: ${message}`,
  );
  return { payload, problems: problems ?? [] };
}

type DelegationOrder<C> = {
  readonly role: Role<unknown, C, false>;
  readonly brief: DelegationBrief;
  readonly task?: string;
  /** Failures of its phase so far. */
  readonly spent?: readonly FailureClass[];
};

/**
 * Dispatches a read-only role once, with the retries of the policy. An invalid payload is not sent.
 * @rule P-56 (policy) Every payload is valid for its agent and names scope, expected output and references; the engine
 *   never sends an invalid one.
 */
export async function delegate<C>(
  { attempt }: Pick<Verbs<unknown>, "attempt">,
  context: PhasesContext,
  { role, brief, task, spent = [] }: DelegationOrder<C>,
): Promise<Outcome<Answer<C, false>>> {
  const name = role.name;
  if (!isAgentName(name)) return refusePayload(`${name} is not on the roster`);
  const { payload, problems } = buildDelegation(context, name, brief);
  if (problems.length > 0) return refusePayload(problems.join("; "));
  const retry = createRetry(spent, context.policy);
  return attempt(role, payload, task === undefined ? { retry } : { retry, task });
}

export const isAgentName = (name: string): name is AgentName => Object.hasOwn(DELEGATIONS, name);

const refusePayload = (message: string) =>
  ({ ok: false, failure: { class: "deterministic", code: "payload_invalid", message } }) as const;
