import { z } from "zod";
import type { Role } from "../../../core/authoring/role.ts";
import type { Answer, Verbs } from "../../../core/authoring/verbs.ts";
import type { Outcome } from "../../../core/failure/failure.ts";
import { type Context, traceOf } from "../iteration.ts";
import { Phase } from "../planning/plan.ts";
import { retryFor } from "./failures.ts";
import type { FailureClass } from "./reply.ts";

const text = z.string().min(1);
/** Every delegation says what is in scope, how to answer and where to look, and ties itself to the run. */
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
  /** The message of the commit as it would be, for who takes up a person's no. */
  commit_message: text.optional(),
  /** What the try before left that is not the phase's, and was not taken. */
  dropped_files: z.array(text).optional(),
  /** What the try before left and is in the working directory. */
  already_there: z.array(text).optional(),
  /** What other phases of its wave make, and is not in its tree. */
  beside: z.array(text).optional(),
  /** What people chose when this phase asked. */
  choices: z.array(z.json()).optional(),
  decisions: z.array(z.json()).optional(),
  safety: z.array(text).min(1),
  /** Helpful and long: what earlier phases delivered, what failed checks printed. */
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
 * A whole plan needs its scope; the replan of one phase has that phase.
 * @rule P-47 (policy) Two readers explore, and nobody plans before it is on record what belongs to the task and what
 *   does not.
 */
function scoped({ value, issues }: z.core.ParsePayload<{ research_scope?: unknown; failed_phase?: unknown }>): void {
  if (value.research_scope !== undefined || value.failed_phase !== undefined) return;
  issues.push({ code: "custom", path: ["research_scope"], message: "must be recorded first", input: value });
}

/** What each agent must be told, by its name; anything else is refused before it is sent. */
export const DELEGATIONS = {
  CodeMapper: z.strictObject({ ...common, scope_description: text, phase_id: phaseId.optional() }),
  Researcher: z.strictObject({ ...common, research_query: text, phase_id: phaseId.optional() }),
  Planner: z
    .strictObject({
      ...common,
      task_description: text,
      /** What is in scope and what is not: nobody plans before that is known. */
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
    .check(scoped),
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
    /** Empty only where a phase drives a browser and leaves no file. */
    changed_files: z.array(text),
    review_scope: z.enum(["phase", "wave", "final"]),
    review_depth: z.enum(["full", "standard", "lightweight"]).optional(),
    review_mode: z.enum(["standard", "security"]).optional(),
    phase_scope: z.json().optional(),
    execution_report: z.json().optional(),
    /** What a person has sent the work back with. */
    findings,
    /** What the commit of the whole would say. */
    commit_message: text.optional(),
    evidence: z.json().optional(),
    task_description: text.optional(),
    beside: z.array(text).optional(),
    /** What earlier rounds of this review raised. */
    reviewed_before: z.array(z.json()).optional(),
    /** Serious issues of the reviewer's last answer that it neither confirmed nor rejected. */
    left_open: z.array(z.json()).optional(),
    decisions: z.array(z.json()).optional(),
    diff: z.string().optional(),
    plan_phases_snapshot: z.array(z.strictObject({ phase_id: phaseId, files: z.array(text) })).optional(),
  }),
} as const;
export type Agent = keyof typeof DELEGATIONS;

/** How each agent answers, in one line of every delegation: a word for it, and the fields of its contract that say it. */
export const EXPECTED: Readonly<Record<Agent, string>> = {
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

export type Brief = { readonly scope: string; readonly context_references: readonly string[] } & Readonly<
  Record<string, unknown>
>;

/** The payload for an agent and what is wrong with it; one with problems is never sent. */
export function delegation(context: Context, agent: Agent, brief: Brief): Delegation {
  const payload = { ...brief, expected_output: EXPECTED[agent], ...traceOf(context) };
  const parsed = DELEGATIONS[agent].safeParse(payload);
  const problems = parsed.error?.issues.map(
    ({ path, message }) => `${agent}: ${path.join(".") || "payload"}: ${message}`,
  );
  return { payload, problems: problems ?? [] };
}

type Order<C> = {
  readonly role: Role<unknown, C, false>;
  readonly brief: Brief;
  readonly task?: string;
  /** What its phase failed with so far. */
  readonly spent?: readonly FailureClass[];
};

/**
 * One dispatch of a role that only reads, by the policy's own retries; an invalid payload goes nowhere.
 * @rule P-56 (policy) A payload that its agent could not use is never sent; every one says what, where to look and how
 *   to answer.
 */
export async function delegate<C>(
  { attempt }: Pick<Verbs<unknown>, "attempt">,
  context: Context,
  { role, brief, task, spent = [] }: Order<C>,
): Promise<Outcome<Answer<C, false>>> {
  const name = role.name;
  if (!isAgent(name)) return refused(`${name} is not on the roster`);
  const { payload, problems } = delegation(context, name, brief);
  if (problems.length > 0) return refused(problems.join("; "));
  const retry = retryFor(spent, context.policy);
  return attempt(role, payload, task === undefined ? { retry } : { retry, task });
}

export const isAgent = (name: string): name is Agent => Object.hasOwn(DELEGATIONS, name);

const refused = (message: string) =>
  ({ ok: false, failure: { class: "deterministic", code: "payload_invalid", message } }) as const;
