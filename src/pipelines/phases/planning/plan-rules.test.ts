import { describe, expect, it } from "vitest";
import { createPhase, createPlan, createProposal, createRiskReview } from "./plan.fixture.ts";
import { Plan } from "./plan.ts";
import { computeTier, getPhaseKind, PLAN_RULES } from "./plan-rules.ts";

const broken = (about: Plan) => PLAN_RULES.filter((rule) => !rule.judge({ plan: about }).passed).map((rule) => rule.id);
const listProblems = (about: Plan) =>
  PLAN_RULES.flatMap((rule) => rule.judge({ plan: about }).findings ?? []).map((finding) => finding.message);
const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `f${at}`, action: "modify" }));

describe("the plan gate", () => {
  it("[P-02] accepts a valid plan", () => {
    expect(broken(createPlan())).toEqual([]);
  });

  it("[P-17] refuses a phase without an executor by name and infers none", () => {
    const about = createPlan({ phases: [createPhase(1, { executor_agent: undefined }), createPhase(2)] });
    expect(broken(about)).toEqual(["P-17"]);
    expect(listProblems(about)).toEqual(['phase 1: executor_agent "" is not on the roster']);
  });

  it("[P-18] refuses agents that are not on the roster", () => {
    const about = createPlan({ phases: [createPhase(1, { executor_agent: "ThirdPartyBot" }), createPhase(2)] });
    expect(broken(about)).toEqual(["P-17"]);
  });

  it("[P-75] refuses the planner and plan reviewers as executors and accepts the eight executors", () => {
    const by = (executor_agent: string) =>
      broken(createPlan({ phases: [createPhase(1, { executor_agent }), createPhase(2)] }));
    for (const name of ["Planner", "PlanAuditor", "AssumptionVerifier", "ExecutabilityVerifier"]) {
      expect(by(name)).toEqual(["P-17"]);
    }
    const eight = ["CodeMapper", "Researcher", "CoreImplementer", "UIImplementer", "PlatformEngineer"];
    for (const name of [...eight, "TechnicalWriter", "BrowserTester", "CodeReviewer"]) {
      expect(by(`${name}-subagent`)).toEqual([]);
    }
  });

  it("[P-22] refuses a file shared within a wave, accepts one shared across waves", () => {
    const shared = { files: [{ path: "a", action: "modify" }] };
    expect(broken(createPlan({ phases: [createPhase(1, shared), createPhase(2, shared)] }))).toEqual([]);
    expect(broken(createPlan({ phases: [createPhase(1, shared), createPhase(2, { ...shared, wave: 1 })] }))).toEqual([
      "P-22",
    ]);
  });

  it("[P-42] refuses more than ten phases, and fewer than three unless the plan is small", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => createPhase(at + 1));
    expect(broken(createPlan({ phases: many(10), complexity_tier: "MEDIUM" }))).toEqual([]);
    expect(broken(createPlan({ phases: many(11), complexity_tier: "MEDIUM" }))).toEqual(["P-42"]);
    expect(broken(createPlan({ phases: [] }))).toEqual(["P-42"]);
    expect(broken(createPlan({ complexity_tier: "MEDIUM" }))).toEqual(["P-42"]);
    expect(broken(createPlan({ complexity_tier: "SMALL" }))).toEqual([]);
    expect(broken(createPlan({ complexity_tier: "TRIVIAL" }))).toEqual([]);
    expect(broken(createPlan({ phases: [createPhase(1, { files: files(6) }), createPhase(2)] }))).toEqual(["P-42"]);
  });

  it("[P-42] refuses fenced code anywhere in its text", () => {
    expect(broken(createPlan({ phases: [createPhase(1, { steps: ["```js"] })] }))).toEqual(["P-42"]);
    expect(broken(createPlan({ phases: [createPhase(1, { objective: "~~~\ncode" })] }))).toEqual(["P-42"]);
    expect(broken(createPlan({ summary: "Adds a part: ```code```" }))).toEqual(["P-42"]);
  });

  it("[P-42] refuses manual tests in any wording, and no other manual work", () => {
    const step = (text: string) => broken(createPlan({ phases: [createPhase(1, { steps: [text] })] }));
    expect(step("Manually test the login")).toEqual(["P-42"]);
    expect(step("Verify the page by hand")).toEqual(["P-42"]);
    expect(step("Test it manually")).toEqual(["P-42"]);
    expect(broken(createPlan({ phases: [createPhase(1, { tests: ["manual check of the page"] })] }))).toEqual(["P-42"]);
    expect(step("Write the user manual")).toEqual([]);
    expect(step("Test the login with the suite")).toEqual([]);
  });

  it("[P-42] refuses a code phase that names no tests; documentation needs none", () => {
    expect(broken(createPlan({ phases: [createPhase(1, { tests: [] })] }))).toEqual(["P-42"]);
    expect(broken(createPlan({ phases: [createPhase(1, { tests: [], executor_agent: "TechnicalWriter" })] }))).toEqual(
      [],
    );
  });

  it("[P-48] refuses a plan that omits choices, boundaries, flow or trade-offs", () => {
    const whole = { choices: ["c"], boundaries: ["b"], flow: ["f"], trade_offs: ["t"] };
    expect(broken(createPlan({ design_decisions: whole }))).toEqual([]);
    for (const name of Object.keys(whole)) {
      const about = createPlan({ design_decisions: { ...whole, [name]: [] } });
      expect(broken(about)).toEqual(["P-48"]);
      expect(listProblems(about)).toEqual([`design_decisions.${name} is empty`]);
    }
    expect(broken(createPlan({ design_decisions: undefined }))).toEqual(["P-48"]);
  });

  it("[P-69] refuses a plan that its planner does not declare ready", () => {
    expect(broken(createPlan({ status: "ABSTAIN" }))).toEqual(["P-69"]);
    expect(broken(createPlan({ status: "REPLAN_REQUIRED" }))).toEqual(["P-69"]);
    expect(broken(createPlan({ abstain: { is_abstaining: true, reasons: ["no access"] } }))).toEqual(["P-69"]);
  });

  it("[P-71] reports a declared tier that is lower than the files make it, and refuses nothing for it", () => {
    const about = createPlan({
      complexity_tier: "TRIVIAL",
      phases: [createPhase(1, { files: files(4) }), createPhase(2)],
    });
    expect(broken(about)).toEqual([]);
    expect(listProblems(about)).toEqual(["complexity_tier is declared as TRIVIAL, its files make it SMALL"]);
  });

  it("[P-75] refuses unknown, cyclic, same-wave and later dependencies", () => {
    const wave = (...phases: object[]) => broken(createPlan({ phases }));
    expect(wave(createPhase(1), createPhase(2, { dependencies: [1] }))).toEqual([]);
    expect(wave(createPhase(1), createPhase(2, { dependencies: [9] }))).toEqual(["P-75"]);
    expect(wave(createPhase(1), createPhase(2, { wave: 1, dependencies: [1] }))).toEqual(["P-75"]);
    expect(wave(createPhase(1, { dependencies: [2] }), createPhase(2))).toEqual(["P-75"]);
    expect(wave(createPhase(1, { dependencies: [2] }), createPhase(2, { dependencies: [1] }))).toEqual(["P-75"]);
    expect(wave(createPhase(1, { dependencies: [1] }))).toEqual(["P-75"]);
    expect(wave(createPhase(1), createPhase(1, { wave: 2 }))).toEqual(["P-75"]);
  });

  it("[P-75] refuses a risk review without all seven categories", () => {
    for (const at of createRiskReview().keys()) {
      expect(broken(createPlan({ risk_review: createRiskReview().toSpliced(at, 1) }))).toEqual(["P-75"]);
    }
  });
});

describe("the plan schema", () => {
  const fits = (more: object) => Plan.safeParse(createProposal(more)).success;

  it("[P-02] refuses a plan of another form", () => {
    expect(fits({})).toBe(true);
    expect(fits({ complexity_tier: "HUGE" })).toBe(false);
    expect(fits({ summary: "short" })).toBe(false);
    expect(fits({ phases: [createPhase(0)] })).toBe(false);
    expect(fits({ phases: [createPhase(1, { steps: [] })] })).toBe(false);
    expect(fits({ phases: [createPhase(1, { acceptance_criteria: [] })] })).toBe(false);
    expect(fits({ phases: [createPhase(1, { quality_gates: ["good_vibes"] })] })).toBe(false);
    expect(fits({ phases: [createPhase(1, { files: [{ path: "a", action: "admire" }] })] })).toBe(false);
    expect(fits({ max_parallel_agents: 11 })).toBe(false);
  });
});

describe("the tier", () => {
  it("[P-71] is never lower than the file count requires", () => {
    const tier = (count: number) =>
      computeTier(createPlan({ complexity_tier: "TRIVIAL", phases: [createPhase(1, { files: files(count) })] }));
    expect([2, 3, 5, 6, 15, 16].map(tier)).toEqual(["TRIVIAL", "SMALL", "SMALL", "MEDIUM", "MEDIUM", "LARGE"]);
    expect(computeTier(createPlan({ complexity_tier: "LARGE" }))).toBe("LARGE");
  });

  it("[P-71] counts a file once, however many phases name it", () => {
    const same = { files: files(2) };
    const about = createPlan({
      complexity_tier: "TRIVIAL",
      phases: [createPhase(1, same), createPhase(2, same), createPhase(3, same)],
    });
    expect(computeTier(about)).toBe("TRIVIAL");
  });
});

describe("a phase", () => {
  it("has the kind of its executor", () => {
    const kind = (executor_agent: string) => getPhaseKind({ executor_agent, files: [] });
    expect(kind("TechnicalWriter-subagent")).toBe("docs");
    expect(kind("BrowserTester")).toBe("docs");
    expect(kind("Researcher")).toBe("read-only");
    expect(kind("PlatformEngineer")).toBe("code");
  });
});
