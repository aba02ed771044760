import { describe, expect, it } from "vitest";
import { createHighRisk, createPhase, createPlan, createRiskReview } from "../planning/plan.fixture.ts";
import { Policy } from "../policy.ts";
import { isWordingOnly, listFocusAreas, listReviewTriggers, mergeReviewers, selectReviewers } from "./review-scope.ts";

const policy = Policy.parse({});
const who = (more: object, by = policy) => Object.values(selectReviewers(createPlan(more), by));

describe("what triggers a plan review", () => {
  it("[P-04] three phases, low confidence, destructive scope or an open HIGH risk; nothing else", () => {
    expect(listReviewTriggers(createPlan(), policy)).toEqual([]);
    expect(
      listReviewTriggers(createPlan({ phases: [createPhase(1), createPhase(2), createPhase(3)] }), policy),
    ).toEqual(["3 phases"]);
    expect(listReviewTriggers(createPlan({ confidence: 0.89 }), policy)).toEqual(["confidence 0.89"]);
    expect(listReviewTriggers(createPlan({ confidence: 0.9 }), policy)).toEqual([]);
    expect(listReviewTriggers(createPlan({ phases: [createPhase(1, { destructive: true })] }), policy)).toEqual([
      "destructive scope",
    ]);
    expect(listReviewTriggers(createPlan(createHighRisk()), policy)).toEqual(["an open HIGH risk"]);
  });

  it("[P-04] a resolved or inapplicable risk triggers nothing, an uncertain or unknown one does", () => {
    const triggered = (more: object) => listReviewTriggers(createPlan(createHighRisk(more)), policy).length > 0;
    expect(triggered({ disposition: "resolved" })).toBe(false);
    expect(triggered({ applicability: "not_applicable" })).toBe(false);
    expect(triggered({ impact: "MEDIUM" })).toBe(false);
    expect(triggered({ disposition: "research_phase_added" })).toBe(true);
    expect(triggered({ applicability: "uncertain" })).toBe(true);
    expect(triggered({ impact: "UNKNOWN" })).toBe(true);
  });

  it("[P-46] each trigger has its setting", () => {
    const by = (conditions: object) => Policy.parse({ plan_review_gate_trigger_conditions: conditions });
    expect(listReviewTriggers(createPlan(), by({ min_phases: 2 }))).toEqual(["2 phases"]);
    expect(listReviewTriggers(createPlan(), by({ confidence_threshold: 0.99 }))).toEqual(["confidence 0.95"]);
    const destructive = createPlan({ phases: [createPhase(1, { destructive: true })] });
    expect(listReviewTriggers(destructive, by({ high_risk_scope_triggers_review: false }))).toEqual([]);
    expect(
      listReviewTriggers(createPlan(createHighRisk()), by({ applicable_high_impact_risk_triggers_review: false })),
    ).toEqual([]);
  });
});

describe("the reviewers of a plan", () => {
  it("[P-05] are selected by the tier", () => {
    expect(who({ complexity_tier: "TRIVIAL" })).toEqual([false, false, false]);
    expect(who({ complexity_tier: "SMALL" })).toEqual([true, false, false]);
    expect(who({ complexity_tier: "MEDIUM" })).toEqual([true, true, false]);
    expect(who({ complexity_tier: "LARGE" })).toEqual([true, true, true]);
  });

  it("[P-05] include at least one for destructive work", () => {
    const phases = [createPhase(1, { destructive: true })];
    expect(who({ complexity_tier: "TRIVIAL", phases })).toEqual([true, false, false]);
  });

  it("[P-06] are all three for an open HIGH risk at any tier; not for a resolved one", () => {
    expect(who({ ...createHighRisk(), complexity_tier: "TRIVIAL" })).toEqual([true, true, true]);
    expect(who({ ...createHighRisk(), complexity_tier: "SMALL" })).toEqual([true, true, true]);
    expect(who({ ...createHighRisk({ disposition: "resolved" }), complexity_tier: "TRIVIAL" })).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("[P-06] focus on areas that follow from the categories of the open risks", () => {
    const focus = (...categories: string[]) => {
      const open = { applicability: "applicable", impact: "HIGH", disposition: "open_question" };
      return listFocusAreas(
        createPlan({ risk_review: createRiskReview(Object.fromEntries(categories.map((each) => [each, open]))) }),
      );
    };
    expect(focus()).toEqual([]);
    expect(focus("data_volume", "performance")).toEqual(["performance"]);
    expect(focus("concurrency", "access_control", "dependency")).toEqual(["architecture"]);
    expect(focus("migration_rollback")).toEqual(["destructive_risk", "missing_rollback"]);
    expect(focus("operability")).toEqual(["scope_gap"]);
  });

  it("[P-46] can be set per tier, except for code review", () => {
    const by = Policy.parse({ review_pipeline_by_tier: { SMALL: { executability_verifier: true } } });
    expect(who({ complexity_tier: "SMALL" }, by)).toEqual([true, false, true]);
    expect(Policy.safeParse({ review_pipeline_by_tier: { SMALL: { code_review: false } } }).success).toBe(false);
  });

  it("[P-79] of a plan also review its revisions", () => {
    const large = selectReviewers(createPlan({ complexity_tier: "LARGE" }), policy);
    const small = selectReviewers(createPlan({ complexity_tier: "TRIVIAL" }), policy);
    expect(mergeReviewers(large, small)).toEqual(large);
    expect(mergeReviewers(small, large)).toEqual(large);
  });
});

describe("what a revision changed", () => {
  const before = createPlan();
  const wording = (more: object) => isWordingOnly(before, createPlan(more));

  it("[P-14] the wording of the summary and cited sources are wording", () => {
    expect(wording({})).toBe(true);
    expect(wording({ summary: "Adds some parts, said better." })).toBe(true);
    expect(wording({ risk_review: createRiskReview({ performance: { evidence_source: "src/a.ts:1" } }) })).toBe(true);
    expect(wording({ revision_of: "plans/artifacts/x/plan-v1.md" })).toBe(true);
  });

  it("[P-14] anything else is a change of the plan", () => {
    const changes: object[] = [
      { phases: [createPhase(1)] },
      { phases: [createPhase(1, { files: [{ path: "other", action: "modify" }] }), createPhase(2)] },
      { phases: [createPhase(1, { tests: ["another"] }), createPhase(2)] },
      { phases: [createPhase(1, { objective: "the same in other words" }), createPhase(2)] },
      { phases: [createPhase(1, { executor_agent: "UIImplementer" }), createPhase(2)] },
      { phases: [createPhase(1, { steps: ["run another command"] }), createPhase(2)] },
      { risk_review: createRiskReview({ performance: { disposition: "resolved" } }) },
      { complexity_tier: "MEDIUM" },
      { contracts: [{ from_phase: 1, to_phase: 2, interface: "i", format: "f" }] },
      { success_criteria: ["c"] },
      { confidence: 0.5 },
      { max_parallel_agents: 2 },
    ];
    expect(changes.filter(wording)).toEqual([]);
  });
});
