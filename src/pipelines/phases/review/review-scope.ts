import { canonical } from "../../../core/text/json.ts";
import type { AuditCategory } from "../contracts.ts";
import type { Plan, RiskCategory } from "../planning/plan.ts";
import { tierOf } from "../planning/plan-rules.ts";
import { risksOf } from "../planning/risks.ts";
import type { Policy } from "../policy.ts";

/**
 * Why the plan must be reviewed before anything is built; empty when it need not.
 * @rule P-04 (policy) Many phases, little confidence, destructive scope or an open HIGH risk bring a plan to review;
 *   nothing else does.
 */
export function reviewTriggers(plan: Plan, policy: Policy): string[] {
  const on = policy.plan_review_gate_trigger_conditions;
  return [
    ...(plan.phases.length >= on.min_phases ? [`${plan.phases.length} phases`] : []),
    ...(plan.confidence < on.confidence_threshold ? [`confidence ${plan.confidence}`] : []),
    ...(on.high_risk_scope_triggers_review && isRisky(plan, policy) ? ["destructive scope"] : []),
    ...(on.applicable_high_impact_risk_triggers_review && openHighRisks(plan).length > 0 ? ["an open HIGH risk"] : []),
  ];
}

export type Reviewers = { readonly auditor: boolean; readonly assumption: boolean; readonly executability: boolean };

/**
 * Everybody for an open HIGH risk; otherwise whom the tier asks for, and never nobody for destructive work.
 * @rule P-06 (policy) An open HIGH risk brings all three reviewers at any tier, and its category tells the auditor
 *   where to look.
 */
export function reviewersFor(plan: Plan, policy: Policy): Reviewers {
  if (openHighRisks(plan).length > 0) return { auditor: true, assumption: true, executability: true };
  const asked = policy.review_pipeline_by_tier[tierOf(plan)];
  return {
    auditor: asked.plan_auditor || isRisky(plan, policy),
    assumption: asked.assumption_verifier,
    executability: asked.executability_verifier,
  };
}

/** Whoever reviewed a plan reviews its revisions: a plan does not leave a review by growing smaller. */
export const withReviewers = (before: Reviewers, now: Reviewers): Reviewers => ({
  auditor: before.auditor || now.auditor,
  assumption: before.assumption || now.assumption,
  executability: before.executability || now.executability,
});

/** Uncertain and unknown count as the worst until somebody resolves them. */
export function openHighRisks(plan: Pick<Plan, "risk_review">): RiskCategory[] {
  return plan.risk_review
    .filter(
      ({ applicability, impact, disposition }) =>
        applicability !== "not_applicable" && (impact === "HIGH" || impact === "UNKNOWN") && disposition !== "resolved",
    )
    .map(({ category }) => category);
}

const FOCUS: Readonly<Record<RiskCategory, readonly AuditCategory[]>> = {
  data_volume: ["performance"],
  performance: ["performance"],
  concurrency: ["architecture"],
  access_control: ["architecture"],
  dependency: ["architecture"],
  migration_rollback: ["destructive_risk", "missing_rollback"],
  operability: ["scope_gap"],
};

/** Where the auditor looks first. */
export const focusAreas = (plan: Pick<Plan, "risk_review">): AuditCategory[] => [
  ...new Set(openHighRisks(plan).flatMap((category) => FOCUS[category])),
];

/**
 * Whether a revision changed words and citations only. Whatever is not named here counts as a change of the plan:
 * then everybody looks again.
 * @rule P-14 (policy) Only a change of wording or of cited sources spares a reviewer who did not object; any other
 *   change is looked at by all.
 */
export function isWordingOnly(before: Plan, after: Plan): boolean {
  return canonical(substanceOf(before)) === canonical(substanceOf(after));
}

/** Everything but the wording of the summary, the sources that are cited, and the engine's own note of lineage. */
function substanceOf({ summary: _words, revision_of: _older, ...plan }: Plan): unknown {
  const risk_review = plan.risk_review.map(({ evidence_source: _cited, ...risk }) => risk);
  return { ...plan, risk_review };
}

const isRisky = (plan: Plan, policy: Policy): boolean => plan.phases.some((phase) => risksOf(phase, policy).length > 0);
