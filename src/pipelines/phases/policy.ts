import { z } from "zod";
import { APPROVAL_ACTIONS, TIERS } from "./contracts.ts";

export const POLICY_FILE = "governance/runtime-policy.json";

const count = z.number().int().min(0);
const perTier = (values: readonly [number, number, number, number]) =>
  z
    .strictObject({ TRIVIAL: count, SMALL: count, MEDIUM: count, LARGE: count })
    .default({ TRIVIAL: values[0], SMALL: values[1], MEDIUM: values[2], LARGE: values[3] });

const Triggers = z.strictObject({
  min_phases: count.default(3),
  confidence_threshold: z.number().default(0.9),
  high_risk_scope_triggers_review: z.boolean().default(true),
  applicable_high_impact_risk_triggers_review: z.boolean().default(true),
});
const Budgets = z.strictObject({
  max_retries_per_phase: count.default(5),
  transient_max: count.default(3),
  fixable_max: count.default(1),
  needs_replan_max: count.default(1),
  escalate_max: count.default(0),
  model_unavailable_max: count.default(2),
  same_classification_max: count.default(3),
  backoff_base_ms: count.default(1_000),
  per_wave_transient_reduction_threshold: count.default(2),
  per_wave_parallelism_reduction_factor: z.number().gt(0).max(1).default(0.5),
});
const FinalReview = z.strictObject({
  enabled_by_default: z.boolean().default(false),
  auto_trigger_tiers: z.array(z.enum(TIERS)).default(["LARGE"]),
  allow_user_trigger: z.boolean().default(true),
  max_fix_cycles: count.default(1),
});

/** Without a build command nothing is built: whether that is good enough is written here or nowhere. */
const BuildGate = z.strictObject({ accept_not_available: z.boolean().default(false) });
const Compaction = z.strictObject({ max_consecutive_failures: count.default(3) });
const Memory = z.strictObject({ notes_md_max_lines: count.default(20), fact_similarity: z.number().default(0.85) });

/** The knobs of this pipeline. An unknown key is refused, so that a typo never switches a rule off. */
export const Policy = z.strictObject({
  max_parallel_agents: z.number().int().min(1).max(10).default(10),
  plan_review_gate_trigger_conditions: Triggers.prefault({}),
  max_iterations_by_tier: perTier([2, 2, 5, 5]),
  retry_budgets: Budgets.prefault({}),
  final_review_gate: FinalReview.prefault({}),
  approval_required_actions: z.array(z.enum(APPROVAL_ACTIONS)).default([...APPROVAL_ACTIONS]),
  build_gate: BuildGate.prefault({}),
  compaction: Compaction.prefault({}),
  memory_hygiene: Memory.prefault({}),
});
export type Policy = z.infer<typeof Policy>;

export function readPolicy(text: string | undefined): { policy: Policy } | { errors: readonly string[] } {
  const parsed = Policy.safeParse(text === undefined ? {} : json(text));
  if (parsed.success) return { policy: parsed.data };
  return { errors: parsed.error.issues.map((issue) => `${issue.path.join(".") || "policy"}: ${issue.message}`) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
