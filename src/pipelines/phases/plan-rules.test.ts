import { describe, expect, it } from "vitest";
import type { Plan } from "./contracts.ts";
import { high, phase, plan } from "./plan.fixture.ts";
import { PLAN, reviewersFor, reviewTriggers, tierOf } from "./plan-rules.ts";
import { Policy } from "./policy.ts";

const policy = Policy.parse({});
const broken = (about: Plan) => PLAN.filter((rule) => !rule.judge({ plan: about }).passed).map((rule) => rule.id);

describe("plan review triggers", () => {
  it("[P-04] three phases, low confidence, destructive scope or an open HIGH risk trigger; nothing else does", () => {
    expect(reviewTriggers(plan(), policy)).toEqual([]);
    expect(reviewTriggers(plan({ phases: [phase(1), phase(2), phase(3)] }), policy)).toEqual(["3 phases"]);
    expect(reviewTriggers(plan({ confidence: 0.7 }), policy)).toEqual(["confidence 0.7"]);
    expect(reviewTriggers(plan({ phases: [phase(1, { destructive: true })] }), policy)).toEqual(["destructive scope"]);
    expect(reviewTriggers(plan(high()), policy)).toEqual(["an open HIGH risk"]);
    expect(reviewTriggers(plan(high({ disposition: "resolved" })), policy)).toEqual([]);
    expect(reviewTriggers(plan(high({ applicability: "uncertain", impact: "UNKNOWN" })), policy)).toHaveLength(1);
  });

  it("[P-05] the tier chooses the reviewers", () => {
    const who = (complexity_tier: string) => Object.values(reviewersFor(plan({ complexity_tier })));
    expect(who("TRIVIAL")).toEqual([false, false, false]);
    expect(who("SMALL")).toEqual([true, false, false]);
    expect(who("MEDIUM")).toEqual([true, true, false]);
    expect(who("LARGE")).toEqual([true, true, true]);
  });

  it("[P-06] an open HIGH risk forces all three at any tier", () => {
    expect(Object.values(reviewersFor(plan({ ...high(), complexity_tier: "TRIVIAL" })))).toEqual([true, true, true]);
  });

  it("[P-71] the tier is never lower than the files say", () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `f${at}`, action: "modify" }));
    const tier = (count: number) =>
      tierOf(plan({ complexity_tier: "TRIVIAL", phases: [phase(1, { files: files(count) })] }));
    expect([2, 3, 5, 6, 15, 16].map(tier)).toEqual(["TRIVIAL", "SMALL", "SMALL", "MEDIUM", "MEDIUM", "LARGE"]);
    expect(tierOf(plan({ complexity_tier: "LARGE" }))).toBe("LARGE");
  });
});

describe("the plan gate", () => {
  it("lets a sound plan pass", () => {
    expect(broken(plan())).toEqual([]);
  });

  it("[P-17] refuses a phase without an executor of the roster", () => {
    expect(
      broken(plan({ phases: [phase(1, { executor_agent: undefined }), phase(2, { executor_agent: "Planner" })] })),
    ).toEqual(["P-17"]);
  });

  it("[P-22] refuses a file shared within a wave, not across waves", () => {
    const shared = { files: [{ path: "a", action: "modify" }] };
    expect(broken(plan({ phases: [phase(1, shared), phase(2, shared)] }))).toEqual([]);
    expect(broken(plan({ phases: [phase(1, shared), phase(2, { ...shared, wave: 1 })] }))).toEqual(["P-22"]);
  });

  it("[P-42] refuses too many and too few phases, code, manual tests and code phases without tests", () => {
    expect(broken(plan({ phases: Array.from({ length: 11 }, (_, at) => phase(at + 1)) }))).toEqual(["P-42"]);
    expect(broken(plan({ complexity_tier: "MEDIUM" }))).toEqual(["P-42"]);
    expect(broken(plan({ phases: [phase(1, { steps: ["```js"] })] }))).toEqual(["P-42"]);
    expect(broken(plan({ phases: [phase(1, { steps: ["manually test it"] })] }))).toEqual(["P-42"]);
    expect(broken(plan({ phases: [phase(1, { tests: [] })] }))).toEqual(["P-42"]);
  });

  it("[P-48] refuses a plan without design decisions", () => {
    expect(broken(plan({ design_decisions: [] }))).toEqual(["P-48"]);
  });

  it("[P-75] refuses dependencies that are not in an earlier wave, and missing risks", () => {
    expect(broken(plan({ phases: [phase(1, { dependencies: [2] }), phase(2)] }))).toEqual(["P-75"]);
    expect(broken(plan({ risk_review: [] }))).toEqual(["P-75"]);
  });
});
