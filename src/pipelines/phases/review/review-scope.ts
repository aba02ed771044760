import { canonical } from "../../../core/text/json.ts";
import type { AuditCategory } from "../contracts.ts";
import type { Plan, RiskCategory } from "../planning/plan.ts";
import { computeTier } from "../planning/plan-rules.ts";
import { listRisks } from "../planning/risks.ts";
import type { Policy } from "../policy.ts";

/**
 * Reasons why the plan must be reviewed; empty if it need not.
 * @rule P-04 (policy) PLAN_REVIEW is triggered by three or more phases, confidence below 0.9, destructive scope or an
 *   open HIGH risk, and by nothing else.
 */
export function listReviewTriggers(plan: Plan, policy: Policy): string[] {
  const on = policy.plan_review_gate_trigger_conditions;
  return [
    ...(plan.phases.length >= on.min_phases ? [`${plan.phases.length} phases`] : []),
    ...(plan.confidence < on.confidence_threshold ? [`confidence ${plan.confidence}`] : []),
    ...(on.high_risk_scope_triggers_review && isRisky(plan, policy) ? ["destructive scope"] : []),
    ...(on.applicable_high_impact_risk_triggers_review && listOpenHighRisks(plan).length > 0
      ? ["an open HIGH risk"]
      : []),
  ];
}

export type Reviewers = { readonly auditor: boolean; readonly assumption: boolean; readonly executability: boolean };

/**
 * All reviewers for an open HIGH risk, otherwise those of the tier, and at least PlanAuditor for destructive work.
 * @rule P-06 (policy) An applicable, HIGH, unresolved risk forces all three reviewers at any tier; the risk categories
 *   determine the auditor's focus areas.
 */
export function selectReviewers(plan: Plan, policy: Policy): Reviewers {
  if (listOpenHighRisks(plan).length > 0) return { auditor: true, assumption: true, executability: true };
  const tierReviewers = policy.review_pipeline_by_tier[computeTier(plan)];
  return {
    auditor: tierReviewers.plan_auditor || isRisky(plan, policy),
    assumption: tierReviewers.assumption_verifier,
    executability: tierReviewers.executability_verifier,
  };
}

/** Keeps the reviewers of earlier iterations: a plan cannot leave its review by becoming smaller. */
export const mergeReviewers = (before: Reviewers, now: Reviewers): Reviewers => ({
  auditor: before.auditor || now.auditor,
  assumption: before.assumption || now.assumption,
  executability: before.executability || now.executability,
});

/** Uncertain and unknown risks count as HIGH until they are resolved. */
export function listOpenHighRisks(plan: Pick<Plan, "risk_review">): RiskCategory[] {
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

/** Focus areas of the auditor. */
export const listFocusAreas = (plan: Pick<Plan, "risk_review">): AuditCategory[] => [
  ...new Set(listOpenHighRisks(plan).flatMap((category) => FOCUS[category])),
];

/**
 * True if a revision changed only wording or citations. Every field not listed here counts as a change of the plan.
 * @rule P-14 (policy) Only a change of wording or citations allows a selective rerun; any other change reruns the whole
 *   tier.
 */
export function isWordingOnly(before: Plan, after: Plan): boolean {
  return canonical(getSubstance(before)) === canonical(getSubstance(after));
}

/** The plan without the wording of its summary, cited sources and lineage. */
function getSubstance({ summary: _words, revision_of: _older, ...plan }: Plan): unknown {
  const risk_review = plan.risk_review.map(({ evidence_source: _cited, ...risk }) => risk);
  return { ...plan, risk_review };
}

const isRisky = (plan: Plan, policy: Policy): boolean =>
  plan.phases.some((phase) => listRisks(phase, policy).length > 0);
