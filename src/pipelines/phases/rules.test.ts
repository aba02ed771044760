import { describe, expect, it } from "vitest";
import { nextWave } from "./acting.ts";
import { commitMessage } from "./closing.ts";
import { ownerOf } from "./completion.ts";
import { Plan, RISK_CATEGORIES } from "./contracts.ts";
import { onlyChange } from "./phase.ts";
import { Policy, readPolicy } from "./policy.ts";
import { COMPLETE, kindOf, PLAN, PREFLECT, reviewersFor, reviewTriggers, tierOf } from "./rules.ts";

const phase = (id: number, more: object = {}) => ({
  phase_id: id,
  title: `Part ${id}`,
  objective: "o",
  wave: id,
  executor_agent: "CoreImplementer-subagent",
  files: [{ path: `src/${id}.ts`, action: "modify" }],
  tests: ["t"],
  steps: ["s"],
  acceptance_criteria: ["a"],
  ...more,
});
const risk = (more: object = {}) => ({
  applicability: "not_applicable",
  impact: "LOW",
  disposition: "not_applicable",
  ...more,
});
const plan = (more: object = {}): Plan =>
  Plan.parse({
    status: "READY_FOR_EXECUTION",
    confidence: 0.95,
    task_title: "Add parts",
    summary: "Adds a few parts.",
    phases: [phase(1), phase(2)],
    design_decisions: ["d"],
    risk_review: RISK_CATEGORIES.map((category) => ({ category, ...risk() })),
    complexity_tier: "SMALL",
    ...more,
  });
const high = (more: object = {}) => ({
  risk_review: [
    {
      category: "performance",
      ...risk({ applicability: "applicable", impact: "HIGH", disposition: "open_question", ...more }),
    },
  ],
});
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

describe("a phase", () => {
  const [first, second] = plan({ phases: [phase(1, { destructive: true }), phase(2, { dependencies: [1] })] }).phases;
  if (!first || !second) throw new Error("the plan has two");
  const ready = (each: typeof first, approved: number[], done: number[]) =>
    PREFLECT.map((rule) => rule.judge({ phase: each, approved, done })).every((judgement) => judgement.passed);

  it("[P-19] waits for what it depends on", () => {
    expect(ready(second, [], [])).toBe(false);
    expect(ready(second, [], [1])).toBe(true);
  });

  it("[P-20] does not start destructive work without approval", () => {
    expect(ready(first, [], [])).toBe(false);
    expect(ready(first, [1], [])).toBe(true);
  });

  const report = { status: "COMPLETE" as const, summary: "" };
  const evidence = { passed: true, checks: [], regressions: [] };
  const verdict = { validated_blocking_issues: [] };
  const complete = (about: object) =>
    COMPLETE.every((rule) => rule.judge({ kind: "code", report, evidence, verdict, ...about }).passed);

  it("[P-23] is complete only with build evidence where it changes code", () => {
    expect(complete({})).toBe(true);
    expect(complete({ evidence: undefined })).toBe(false);
    expect(complete({ evidence: undefined, kind: "docs" })).toBe(true);
  });

  it("[P-24] is blocked by confirmed issues only, and is not complete unreviewed", () => {
    const issue = { severity: "MAJOR" as const, description: "d", file: "f" };
    expect(complete({ verdict: { validated_blocking_issues: [issue] } })).toBe(false);
    expect(complete({ verdict: undefined })).toBe(false);
    expect(complete({ verdict: undefined, evidence: undefined, kind: "read-only" })).toBe(true);
  });

  it("has the kind of its executor", () => {
    expect(kindOf({ executor_agent: "TechnicalWriter-subagent", files: [] })).toBe("docs");
    expect(kindOf({ executor_agent: "Researcher", files: [] })).toBe("read-only");
  });

  it("[P-51] may be replanned alone", () => {
    const before = plan();
    const changed = plan({ phases: [phase(1, { objective: "other" }), phase(2)] });
    expect(onlyChange(before, changed, 1)?.objective).toBe("other");
    expect(onlyChange(before, changed, 2)).toBeUndefined();
  });

  it("starts with all open phases of the lowest wave", () => {
    const three = plan({ phases: [phase(1), phase(2, { wave: 1 }), phase(3)] });
    expect(nextWave(three, []).map((each) => each.phase_id)).toEqual([1, 2]);
    expect(nextWave(three, [1]).map((each) => each.phase_id)).toEqual([2]);
    expect(nextWave(three, [1, 2, 3])).toEqual([]);
  });
});

describe("the end", () => {
  it("the highest phase that owns a file fixes it", () => {
    const shared = { files: [{ path: "a", action: "modify" }] };
    expect(ownerOf(plan({ phases: [phase(1, shared), phase(2, shared)] }), "a")?.phase_id).toBe(2);
    expect(ownerOf(plan(), "nobody")).toBeUndefined();
  });

  it("[P-80] the message has a prefix, no phase number and a short subject", () => {
    const message = (task_title: string) => commitMessage(plan({ task_title }));
    expect(message("Add parts of phase 2")).toBe("feat: Add parts of");
    expect(message("fix: the door")).toBe("fix: the door");
    expect(message("x".repeat(80))).toBe(`feat: ${"x".repeat(50)}`);
  });

  it("[P-46] an unknown key or a wrong type of the policy is refused by name", () => {
    expect(readPolicy('{"retry_budgets":{"fixable_maximum":2}}')).toEqual({
      errors: [expect.stringMatching(/^retry_budgets: .*fixable_maximum/)],
    });
    expect(readPolicy('{"max_parallel_agents":"many"}')).toEqual({
      errors: [expect.stringMatching(/^max_parallel_agents/)],
    });
  });
});
