import { z } from "zod";
import { APPROVAL_ACTIONS } from "./planning/actions.ts";
import { TIERS } from "./planning/plan.ts";

export const POLICY_FILE = "governance/runtime-policy.json";
export const OUTCOMES_FILE = "plans/session-outcomes.md";

const count = z.number().int().min(0);
const share = z.number().min(0).max(1);
/** A setting with one allowed value, which many projects' files contain. Any other value is refused. */
const createFixed = <const Value extends string | boolean>(value: Value) => z.literal(value).optional();
const createInert = () => z.json().optional();
const createSwitch = (on: boolean) => z.boolean().default(on);

/** Limit of plan review iterations; a review has at least one. */
const createRoundLimit = (most: number) => z.number().int().min(1).max(5).default(most);
/** @rule P-07 (declaration) The maximum number of review iterations by tier is 2, 2, 5 and 5. */
const Iterations = z.strictObject({
  TRIVIAL: createRoundLimit(2),
  SMALL: createRoundLimit(2),
  MEDIUM: createRoundLimit(5),
  LARGE: createRoundLimit(5),
});

const createReviewers = (auditor: boolean, assumption: boolean, executability: boolean) =>
  z
    .strictObject({
      plan_auditor: createSwitch(auditor),
      assumption_verifier: createSwitch(assumption),
      executability_verifier: createSwitch(executability),
      code_review: createFixed(true),
    })
    .prefault({});
/**
 * @rule P-05 (declaration) The tier selects the plan reviewers: TRIVIAL none, SMALL PlanAuditor, MEDIUM also
 *   AssumptionVerifier, LARGE also ExecutabilityVerifier.
 */
const Pipelines = z.strictObject({
  TRIVIAL: createReviewers(false, false, false),
  SMALL: createReviewers(true, false, false),
  MEDIUM: createReviewers(true, true, false),
  LARGE: createReviewers(true, true, true),
});

const Triggers = z.strictObject({
  min_phases: count.default(3),
  confidence_threshold: share.default(0.9),
  high_risk_scope_triggers_review: createSwitch(true),
  applicable_high_impact_risk_triggers_review: createSwitch(true),
});
/** When to stop retrying: a phase that fails the same way, or a plan that does not improve. */
const Stagnation = z.strictObject({
  same_phase_failure_escalation_threshold: z.number().int().min(1).default(3),
  same_classification_repeat_escalation: createFixed(true),
  min_iterations: z.number().int().min(2).default(3),
  min_improvement_points: z.number().min(0).default(5),
});
const Budgets = z.strictObject({
  max_retries_per_phase: count.default(5),
  transient_max: count.default(3),
  fixable_max: count.default(1),
  needs_replan_max: count.default(1),
  escalate_max: count.default(0),
  model_unavailable_max: count.default(2),
  backoff_base_ms: count.default(1_000),
  per_wave_transient_reduction_threshold: count.default(2),
  per_wave_parallelism_reduction_factor: z.number().gt(0).max(1).default(0.5),
});
const FinalReview = z.strictObject({
  enabled_by_default: createSwitch(false),
  auto_trigger_tiers: z.array(z.enum(TIERS)).default(["LARGE"]),
  allow_user_trigger: createSwitch(true),
  max_fix_cycles: count.default(1),
});

const Approval = z.strictObject({
  approval_per: z.enum(["wave", "phase"]).default("wave"),
  exception_destructive_phases: createFixed("per_phase"),
});
const Telemetry = z.strictObject({
  log_file: createFixed(OUTCOMES_FILE),
  write_timing: createFixed("before_completion_summary"),
  /** Path of the project's template for outcome entries. */
  template: z.string().min(1).default("plans/templates/session-outcome-template.md"),
  archive_threshold_entries: createInert(),
});

/** Accepts complete code without a build command; a person can also accept it. */
const BuildGate = z.strictObject({ accept_not_available: createSwitch(false) });
const Compaction = z.strictObject({
  max_consecutive_failures: count.default(3),
  circuit_breaker_action: createFixed("escalate"),
});
/** Other settings of this section are advice to people about old notes. */
const Memory = z.looseObject({ notes_md_max_lines: count.default(20), fact_similarity: share.default(0.85) });

/** Sections that such a file may have and that no rule of a program needs; accepted and ignored. */
const INERT = {
  tool_output_policy: createInert(),
  resource_profiles: createInert(),
  task_cache: createInert(),
  model_dispatch: createInert(),
};

/**
 * Limits of money, tokens and time belong to the run; limits in this file would not be enforced, so they are refused.
 */
const BudgetDefaults = z.looseObject({ enabled: createFixed(false) });

/**
 * Settings of this pipeline. An unknown key is refused, so that a typo cannot disable a rule.
 * @rule P-46 (declaration) There is one policy file; before the run, the engine refuses an unknown key or a wrong type
 *   by name.
 */
const Knobs = z.strictObject({
  max_parallel_agents: z.number().int().min(1).max(10).default(10),
  plan_review_gate_trigger_conditions: Triggers.prefault({}),
  review_pipeline_by_tier: Pipelines.prefault({}),
  max_iterations_by_tier: Iterations.prefault({}),
  stagnation_detection: Stagnation.prefault({}),
  retry_budgets: Budgets.prefault({}),
  final_review_gate: FinalReview.prefault({}),
  approval_required_actions: z.array(z.enum(APPROVAL_ACTIONS)).default([...APPROVAL_ACTIONS]),
  batch_approval: Approval.prefault({}),
  session_telemetry: Telemetry.prefault({}),
  build_gate: BuildGate.prefault({}),
  compaction: Compaction.prefault({}),
  memory_hygiene: Memory.prefault({}),
  budget_defaults: BudgetDefaults.prefault({}),
  ...INERT,
});
/** Ignores remarks: keys that begin with an underscore, and `$schema`. */
export const Policy = z.preprocess(dropRemarks, Knobs);
export type Policy = z.infer<typeof Policy>;

function dropRemarks(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input)
      .filter(([key]) => !key.startsWith("_") && key !== "$schema")
      .map(([key, value]) => [key, dropRemarks(value)]),
  );
}
