import { describe, expect, test } from "vitest";
import { classifyFailure, computeWaveCap, routeFailures } from "../../src/pipelines/phases/acting/failures.ts";
import { createHighRisk, createPhase, createPlan } from "../../src/pipelines/phases/planning/plan.fixture.ts";
import { describeStagnation } from "../../src/pipelines/phases/planning/plan-review-rules.ts";
import { Policy } from "../../src/pipelines/phases/policy.ts";
import { listReviewTriggers, selectReviewers } from "../../src/pipelines/phases/review/review-scope.ts";
import { asked, eventsOf, PLAN, plans, play, roles, SMALL, says, sentTo, silent, turns } from "./paper.ts";

/** Cases that the specification's own evaluation expects, one by one. */
const policy = Policy.parse({});
const budgets = policy.retry_budgets;
const many = (count: number) => Array.from({ length: count }, (_, at) => createPhase(at + 1));

describe("the oracle", () => {
  test.each([
    { what: "5 phases", plan: createPlan({ phases: many(5) }), audits: true },
    { what: "2 phases, confidence .7", plan: createPlan({ confidence: 0.7 }), audits: true },
    { what: "2 phases, confidence .95, nothing destructive", plan: createPlan({ confidence: 0.95 }), audits: false },
    { what: "HIGH but resolved", plan: createPlan(createHighRisk({ disposition: "resolved" })), audits: false },
  ])("[P-04] $what: audit $audits", ({ plan: about, audits }) => {
    expect(listReviewTriggers(about, policy).length > 0).toBe(audits);
  });

  test("[P-06] TRIVIAL with a HIGH open question: all three reviewers", () => {
    const about = createPlan({ ...createHighRisk({ disposition: "open_question" }), complexity_tier: "TRIVIAL" });
    expect(listReviewTriggers(about, policy)).toEqual(["an open HIGH risk"]);
    expect(selectReviewers(about, policy)).toEqual({ auditor: true, assumption: true, executability: true });
  });

  test("[P-06] HIGH but resolved: no override", () => {
    const about = createPlan({ ...createHighRisk({ disposition: "resolved" }), complexity_tier: "TRIVIAL" });
    expect(selectReviewers(about, policy)).toEqual({ auditor: false, assumption: false, executability: false });
  });

  test("[P-12] scores 62, 64, 65: stagnation after the third", () => {
    expect(describeStagnation([62], policy.stagnation_detection)).toBeUndefined();
    expect(describeStagnation([62, 64], policy.stagnation_detection)).toBeUndefined();
    expect(describeStagnation([62, 64, 65], policy.stagnation_detection)).toBeDefined();
  });

  test("[P-29] five retries of all kinds, and one failure more: escalate", () => {
    const five = ["transient", "fixable", "transient", "needs_replan", "model_unavailable"] as const;
    expect(routeFailures(five, policy).go).not.toBe("escalate");
    expect(routeFailures([...five, "transient"], policy).go).toBe("escalate");
  });

  test("[P-29] three fixable in a row: escalate", () => {
    expect(routeFailures(["fixable", "fixable", "fixable"], policy).go).toBe("escalate");
  });

  test("[P-31] parallelism 4 with two transient phases: 2", () => {
    expect(computeWaveCap({ wave: 2, start: 4, faulty: new Map([[1, new Set([1, 2])]]), budgets })).toBe(2);
  });

  test("[P-30] an empty answer is retried and never accepted", async () => {
    expect(classifyFailure({ class: "transient", code: "agent_silent" })).toBe("transient");
    const made = says("CoreImplementer", { status: "COMPLETE" });
    const CoreImplementer = turns(
      () => silent(),
      (request) => ({ ...made(request), files: { "src/part-1.ts": "x\n" } }),
    );
    const played = await play({ parts: { Planner: plans({ ...SMALL, phases: [PLAN.phases[0]] }), CoreImplementer } });
    expect(sentTo(played, "CoreImplementer")).toHaveLength(2);
    expect(played.records).toContainEqual(expect.objectContaining({ type: "agent.retried", role: "CoreImplementer" }));
  });

  test("[P-23] a build that did not run: the phase is not complete", async () => {
    const played = await play({ parts: { Planner: plans(SMALL) }, commands: [] });
    expect(played.status).not.toBe("done");
    const gate = eventsOf(played).filter(({ payload }) => payload.event_type === "PHASE_REVIEW_GATE");
    expect(gate.map(({ payload }) => payload.decision)).not.toContain("GO");
  });

  test("[P-24] NEEDS_REVISION with unvalidated and rejected issues only: not blocked", async () => {
    const issues = ["unvalidated", "rejected"].map((validation_status) => ({
      severity: "MAJOR",
      description: "maybe",
      file: "src/part-1.ts",
      validation_status,
    }));
    const CodeReviewer = says("CodeReviewer", { status: "NEEDS_REVISION", issues, validated_blocking_issues: [] });
    const played = await play({ parts: { Planner: plans(SMALL), CodeReviewer } });
    expect(played.status).toBe("done");
  });

  test("[P-50] a high-risk task: HIGH_RISK_APPROVAL_GATE, BLOCKED, and a person is asked", async () => {
    const phases = SMALL.phases.map((each) => ({ ...each, destructive: true }));
    const played = await play({ parts: { Planner: plans({ ...SMALL, phases }) } });
    expect(played.status).toBe("waiting");
    expect(eventsOf(played).at(-1)?.payload).toMatchObject({
      event_type: "HIGH_RISK_APPROVAL_GATE",
      decision: "BLOCKED",
      requires_human_approval: true,
    });
    expect(asked(played, "Wave 1")).toBeDefined();
    expect(roles(played)).not.toContain("CoreImplementer");
  });
});
