import { describe, expect, test } from "vitest";
import { createPhases as declared } from "../../src/core/authoring/phases.ts";
import { phases } from "../../src/pipelines/phases/index.ts";
import {
  asked,
  audits,
  createProposal,
  PLAN,
  phase,
  phasesOf,
  plans,
  play,
  questions,
  roles,
  SMALL,
  says,
  turns,
} from "./paper.ts";

const STATES = ["PLANNING", "WAITING_APPROVAL", "PLAN_REVIEW", "ACTING", "REVIEWING", "COMPLETE"] as const;
const LEGAL: Readonly<Record<(typeof STATES)[number], readonly string[]>> = {
  PLANNING: ["WAITING_APPROVAL", "PLAN_REVIEW"],
  WAITING_APPROVAL: ["PLAN_REVIEW", "ACTING", "PLANNING", "COMPLETE"],
  PLAN_REVIEW: ["ACTING", "PLANNING", "WAITING_APPROVAL"],
  ACTING: ["REVIEWING", "PLANNING", "WAITING_APPROVAL"],
  REVIEWING: ["ACTING", "WAITING_APPROVAL"],
  COMPLETE: [],
};
const machine = declared(phases.name, phases.phases);
const may = (from: string | undefined, to: string): boolean => {
  try {
    machine.mayFollow(from, to, new Set());
    return true;
  } catch {
    return false;
  }
};
const pairs = STATES.flatMap((from) => STATES.filter((to) => to !== from).map((to) => ({ from, to })));

describe("the states", () => {
  test.each(pairs.filter(({ from, to }) => LEGAL[from].includes(to)))("[P-01] $from → $to is legal", ({ from, to }) => {
    expect(may(from, to)).toBe(true);
  });

  test.each(pairs.filter(({ from, to }) => !LEGAL[from].includes(to)))(
    "[P-01] $from → $to is not legal",
    ({ from, to }) => {
      expect(may(from, to)).toBe(false);
    },
  );

  test("[P-01] a run starts in PLANNING", () => {
    expect(STATES.filter((state) => may(undefined, state))).toEqual(["PLANNING"]);
  });

  test("[P-01] a run with a revision, a fix and a replan follows them", async () => {
    const issue = { severity: "MAJOR", description: "not checked", file: "src/part-1.ts" };
    const refuses = says("CodeReviewer", { status: "NEEDS_REVISION", validated_blocking_issues: [issue] });
    const played = await play({
      parts: {
        Planner: plans({ ...PLAN, confidence: 0.8 }),
        PlanAuditor: turns(audits("NEEDS_REVISION"), audits("APPROVED")),
        CodeReviewer: turns(refuses, says("CodeReviewer", { status: "APPROVED" })),
      },
    });
    expect(played.status).toBe("done");
    expect(phasesOf(played)).toEqual(expect.arrayContaining(["PLAN_REVIEW", "ACTING", "REVIEWING", "COMPLETE"]));
    expect(phasesOf(played).at(-1)).toBe("COMPLETE");
  });
});

describe("allowed dispatches", () => {
  const executors = ["CoreImplementer", "UIImplementer", "PlatformEngineer", "TechnicalWriter", "BrowserTester"];
  const readers = ["CodeMapper", "Researcher", "CodeReviewer"];
  const MAY: Readonly<Record<(typeof STATES)[number], readonly string[]>> = {
    PLANNING: ["CodeMapper", "Researcher", "Planner"],
    WAITING_APPROVAL: [],
    PLAN_REVIEW: ["PlanAuditor", "AssumptionVerifier", "ExecutabilityVerifier", "Planner"],
    // Readers execute read-only phases.
    ACTING: [...executors, ...readers, "Planner"],
    REVIEWING: ["CodeReviewer"],
    COMPLETE: [],
  };
  const all = [...new Set(Object.values(MAY).flat())];

  test.each(STATES)("[P-49] in %s only the listed roles are dispatched", (state) => {
    const allowed = all.filter((role) => {
      try {
        machine.mayDispatch(state, role);
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed.toSorted()).toEqual(MAY[state].toSorted());
  });

  test("[P-18] the pipeline has exactly the twelve agents of the roster", () => {
    expect(phases.roles.map(({ name }) => name).toSorted()).toEqual(all.toSorted());
    expect(all).toHaveLength(12);
  });

  test("[P-49] every dispatch of a run happens in a state that allows its role", async () => {
    const played = await play({ parts: { Planner: plans(createProposal({ ...PLAN, complexity_tier: "LARGE" })) } });
    const wrong = played.sent.filter(
      ({ phase: state, role }) => !STATES.some((each) => each === state && MAY[each].includes(role)),
    );
    expect(wrong).toEqual([]);
    expect(new Set(played.sent.map(({ phase: state }) => state))).toEqual(
      new Set(["PLANNING", "PLAN_REVIEW", "ACTING", "REVIEWING"]),
    );
  });

  test("[P-49] a phase goes to its own executor and to no other", async () => {
    const phases = [phase(1, 1), phase(2, 2, { executor_agent: "TechnicalWriter-subagent", tests: [] })];
    const TechnicalWriter = () => ({
      contract: {
        agent: "TechnicalWriter",
        status: "COMPLETE",
        confidence: 0.9,
        abstain: { is_abstaining: false, reasons: [] },
        docs_created: [{ path: "src/part-2.ts", title: "t" }],
      },
      files: { "src/part-2.ts": "text\n" },
    });
    const played = await play({ parts: { Planner: plans({ ...SMALL, phases }), TechnicalWriter } });
    const who = played.sent.filter(({ role }) => executors.includes(role)).map(({ role, task }) => [role, task]);
    expect(who).toEqual([
      ["CoreImplementer", "phase-1"],
      ["TechnicalWriter", "phase-2"],
    ]);
  });
});

describe("the policy", () => {
  test("[P-46] an unknown key is refused by name before a run exists", async () => {
    await expect(play({ policy: { max_paralel_agents: 2 } })).rejects.toThrow(/max_paralel_agents/);
    await expect(play({ policy: { retry_budgets: { fixable_maximum: 2 } } })).rejects.toThrow(/fixable_maximum/);
  });

  test("[P-46] a value of the wrong type is refused too", async () => {
    await expect(play({ policy: { max_parallel_agents: "many" } })).rejects.toThrow(/max_parallel_agents/);
  });

  test("[P-46] sets what triggers a review", async () => {
    const policy = { plan_review_gate_trigger_conditions: { min_phases: 4 } };
    const played = await play({ policy });
    expect(roles(played)).not.toContain("PlanAuditor");
    expect(played.status).toBe("done");
  });

  test("[P-46] sets the reviewers", async () => {
    const policy = { review_pipeline_by_tier: { MEDIUM: { assumption_verifier: false } } };
    const played = await play({ policy });
    expect(roles(played)).toContain("PlanAuditor");
    expect(roles(played)).not.toContain("AssumptionVerifier");
  });

  test("[P-46] sets whether a wave is approved as one", async () => {
    const policy = { batch_approval: { approval_per: "phase" } };
    const played = await play({ policy });
    expect(questions(played).filter(({ title }) => title.startsWith("Wave 1"))).toHaveLength(2);
  });

  test("[P-46] sets when a review stagnates", async () => {
    const score = (percentage: number) => audits("NEEDS_REVISION", { scoring: { percentage } });
    const policy = { stagnation_detection: { min_iterations: 2 } };
    const played = await play({ parts: { PlanAuditor: turns(score(62), score(64)) }, policy });
    expect(asked(played, "2 points gained over 1 iterations")).toBeDefined();
  });
});
