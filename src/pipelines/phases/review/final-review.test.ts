import { describe, expect, it } from "vitest";
import { createPhase, createPlan } from "../planning/plan.fixture.ts";
import { Policy } from "../policy.ts";
import { assignFixes, dropCheckOutput, findFileOwner, isFinalReviewActive } from "./final-review.ts";

const shared = { files: [{ path: "a", action: "modify" }] };

describe("the final review", () => {
  const active = (gate: object, tier: string, finalReview = false) =>
    isFinalReviewActive(
      { policy: Policy.parse({ final_review_gate: gate }), finalReview },
      createPlan({ complexity_tier: tier, phases: [createPhase(1), createPhase(2), createPhase(3)] }),
    );

  it("[P-66] is active by default, by tier, or on request", () => {
    expect(active({}, "SMALL")).toBe(false);
    expect(active({ enabled_by_default: true }, "SMALL")).toBe(true);
    expect(active({}, "LARGE")).toBe(true);
    expect(active({ auto_trigger_tiers: ["SMALL"] }, "SMALL")).toBe(true);
    expect(active({}, "SMALL", true)).toBe(true);
    expect(active({ allow_user_trigger: false }, "SMALL", true)).toBe(false);
  });

  it("gets the findings that sent the work back, without old check output", () => {
    const red = { severity: "major" as const, message: "test fails now", tests: ["greets"], output: "1 failed" };
    expect(dropCheckOutput(red)).toEqual({ severity: "major", message: "test fails now" });
  });

  it("[P-39] gives an issue to the highest phase that owns the file", () => {
    expect(findFileOwner(createPlan({ phases: [createPhase(1, shared), createPhase(2, shared)] }), "a")?.phase_id).toBe(
      2,
    );
  });

  it("[P-67] leaves an issue that no phase owns to a person", () => {
    const issue = { severity: "major" as const, message: "it leaks", files: ["b"] };
    expect(assignFixes(createPlan({ phases: [createPhase(1, shared)] }), [issue])).toEqual({
      owned: new Map(),
      unowned: [issue],
    });
  });

  it("[P-67] is never fixed by the reviewer", () => {
    const readers = createPlan({
      phases: [createPhase(1, shared), createPhase(2, { ...shared, executor_agent: "CodeReviewer" })],
    });
    expect(findFileOwner(readers, "a")?.phase_id).toBe(1);
  });
});
