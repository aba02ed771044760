import { describe, expect, test } from "vitest";
import {
  asked,
  audits,
  createHighRisk,
  createProposal,
  eventsOf,
  inputsOf,
  mirages,
  type Part,
  PLAN,
  phase,
  phasesOf,
  plans,
  play,
  questions,
  roles,
  SMALL,
  says,
  sentTo,
  silent,
  simulates,
  TASK,
  turns,
} from "./paper.ts";

const large = createProposal({ ...PLAN, complexity_tier: "LARGE" });
const objection = (description: string, more: object = {}) =>
  audits("NEEDS_REVISION", { findings: [{ severity: "MAJOR", description }], ...more });
const REVIEWERS = ["PlanAuditor", "AssumptionVerifier", "ExecutabilityVerifier"];
const reviewers = (played: Awaited<ReturnType<typeof play>>) =>
  roles(played).filter((role) => REVIEWERS.includes(role));
const reviewEvents = (played: Awaited<ReturnType<typeof play>>) =>
  eventsOf(played).flatMap(({ payload }) => (payload.event_type === "PLAN_REVIEW_GATE" ? [payload] : []));
/** Revises the plan with a phase that is built differently each time. */
const revisePlan = (plan: object): Part => {
  let turn = 0;
  return () => {
    turn += 1;
    return { contract: { ...plan, success_criteria: [`version ${turn}`] } };
  };
};
const scored = (...percentages: number[]): Part =>
  turns(...percentages.map((percentage) => objection(`at ${percentage}`, { scoring: { percentage } })));

describe("selection of reviewers", () => {
  test("[P-04] a plan that triggers nothing goes straight to ACTING", async () => {
    const played = await play({ parts: { Planner: plans(SMALL) } });
    expect(reviewers(played)).toEqual([]);
    expect(phasesOf(played)).not.toContain("PLAN_REVIEW");
    expect(played.records).toContainEqual(
      expect.objectContaining({ type: "phase.skipped", title: "PLAN_REVIEW", reason: "no trigger is met" }),
    );
  });

  test.each([
    ["three phases", createProposal({ phases: [phase(1, 1), phase(2, 2), phase(3, 3)] })],
    ["low confidence", { ...SMALL, confidence: 0.7 }],
    ["an open HIGH risk", { ...SMALL, ...createHighRisk() }],
  ])("[P-04] %s triggers a review", async (_name, plan) => {
    const played = await play({ parts: { Planner: plans(plan) } });
    expect(reviewers(played)).toContain("PlanAuditor");
  });

  test("[P-04] destructive scope does too", async () => {
    const plan = createProposal({ phases: [phase(1, 1, { destructive: true }), phase(2, 2)] });
    const played = await play({ parts: { Planner: plans(plan) } });
    expect(reviewers(played)).toEqual(["PlanAuditor"]);
  });

  test.each([
    ["TRIVIAL", []],
    ["SMALL", ["PlanAuditor"]],
    ["MEDIUM", ["AssumptionVerifier", "PlanAuditor"]],
    ["LARGE", ["AssumptionVerifier", "ExecutabilityVerifier", "PlanAuditor"]],
  ])("[P-05] at %s the reviewers are %j", async (complexity_tier, who) => {
    const phases = [phase(1, 1, { files: [] }), phase(2, 1, { files: [] }), phase(3, 2, { files: [] })];
    const played = await play({ parts: { Planner: plans(createProposal({ phases, complexity_tier })) }, answers: [] });
    expect(reviewers(played).toSorted()).toEqual(who);
  });

  test("[P-05] auditor and assumption verifier run in parallel", async () => {
    const played = await play();
    const at = (type: string, role: string) =>
      played.records.findIndex((each) => each.type === type && "role" in each && each.role === role);
    expect(at("agent.started", "AssumptionVerifier")).toBeLessThan(at("agent.finished", "PlanAuditor"));
    expect(at("agent.started", "PlanAuditor")).toBeLessThan(at("agent.finished", "AssumptionVerifier"));
  });

  test("[P-06] an open HIGH risk selects all three at TRIVIAL, with its focus areas", async () => {
    const plan = { ...SMALL, complexity_tier: "TRIVIAL", ...createHighRisk({}, "migration_rollback") };
    const played = await play({ parts: { Planner: plans(plan) } });
    expect(reviewers(played).toSorted()).toEqual(REVIEWERS.toSorted());
    expect(inputsOf(played, "PlanAuditor")[0]).toMatchObject({ focus_areas: ["destructive_risk", "missing_rollback"] });
  });

  test("[P-72] a forced review keeps the iteration cap of the plan's own tier", async () => {
    const plan = { ...SMALL, complexity_tier: "TRIVIAL", ...createHighRisk() };
    const played = await play({ parts: { Planner: revisePlan(plan), PlanAuditor: objection("no rollback") } });
    expect(sentTo(played, "PlanAuditor")).toHaveLength(2);
    expect(inputsOf(played, "PlanAuditor")[0]).toMatchObject({ max_iterations: 2 });
    expect(asked(played, "all 2 iterations are used")).toBeDefined();
  });

  test("[P-55] every reviewer gets plan path, summary, iteration and trace; the auditor what was verified before", async () => {
    const verified_items = [{ item_id: "tests", description: "tests are named" }];
    const PlanAuditor = turns(objection("no rollback", { verified_items }), audits("APPROVED", { verified_items }));
    const played = await play({ parts: { Planner: revisePlan(large), PlanAuditor } });
    for (const role of REVIEWERS) {
      expect(inputsOf(played, role)[0]).toMatchObject({
        plan_path: `plans/${TASK}-plan.md`,
        plan_summary: PLAN.summary,
        iteration_index: role === "ExecutabilityVerifier" ? 2 : 1,
        trace_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      });
    }
    const [first, second] = inputsOf(played, "PlanAuditor");
    expect(first).not.toHaveProperty("verified_items");
    expect(second).toMatchObject({ iteration_index: 2, verified_items: [{ item_id: "tests", status: "VERIFIED" }] });
  });
});

describe("an iteration", () => {
  test("[P-08] the executability verifier runs only if the others approve, and its PASS approves", async () => {
    const PlanAuditor = turns(objection("no rollback"), audits("APPROVED"));
    const played = await play({ parts: { Planner: revisePlan(large), PlanAuditor } });
    expect(sentTo(played, "ExecutabilityVerifier")).toHaveLength(1);
    expect(reviewEvents(played)).toMatchObject([
      { decision: "REPLAN", iteration_index: 1, executability_verifier_status: "NOT_RUN" },
      { decision: "GO", iteration_index: 2, executability_verifier_status: "PASS" },
    ]);
  });

  test.each(["FAIL", "WARN"])("[P-08] %s goes back to the planner, and the next iteration starts", async (status) => {
    const findings = [{ severity: "MAJOR", description: "the test command is missing" }];
    const ExecutabilityVerifier = turns(simulates(status, { findings }), simulates("PASS"));
    const played = await play({ parts: { Planner: revisePlan(large), ExecutabilityVerifier } });
    expect(JSON.stringify(inputsOf(played, "Planner")[1]?.["findings"])).toContain("the test command is missing");
    expect(inputsOf(played, "ExecutabilityVerifier").map((input) => input["iteration_index"])).toEqual([1, 2]);
  });

  test("[P-09] objections and blocking mirages go back together", async () => {
    const PlanAuditor = turns(objection("no rollback"), audits("APPROVED"));
    const AssumptionVerifier = turns(mirages({ severity: "BLOCKING", claim: "there is an API" }), mirages());
    const played = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor, AssumptionVerifier } });
    expect(inputsOf(played, "Planner")[1]?.["findings"]).toMatchObject([
      { by: "PlanAuditor", description: "no rollback" },
      { by: "AssumptionVerifier", description: "there is an API" },
    ]);
    expect(inputsOf(played, "Planner")[1]).toMatchObject({ iteration_index: 2 });
  });

  test("[P-09] a blocking mirage alone is enough", async () => {
    const AssumptionVerifier = turns(mirages({ severity: "BLOCKING", claim: "there is an API" }), mirages());
    const played = await play({ parts: { Planner: revisePlan(PLAN), AssumptionVerifier } });
    expect(sentTo(played, "Planner")).toHaveLength(2);
  });

  test("[P-11] an abstention is recorded, does not block and is shown at the next approval", async () => {
    const played = await play({ parts: { PlanAuditor: audits("ABSTAIN") } });
    expect(played.status).toBe("done");
    expect(sentTo(played, "Planner")).toHaveLength(1);
    expect(asked(played, "Wave 1")?.show).toMatchObject({ abstained: ["PlanAuditor"] });
  });

  test("[P-45] a rejection with low confidence is an abstention", async () => {
    const played = await play({ parts: { PlanAuditor: audits("REJECTED", { confidence: 0.6 }) } });
    expect(played.status).toBe("done");
    expect(asked(played, "Wave 1")?.show).toMatchObject({ abstained: ["PlanAuditor"] });
  });

  test("[P-15] a finding that was gone and returns blocks, however small", async () => {
    const minor = { findings: [{ severity: "MINOR", description: "a typo" }] };
    const PlanAuditor = turns(
      objection("no rollback", minor),
      objection("no tests"),
      audits("APPROVED", minor),
      audits("APPROVED"),
    );
    const played = await play({
      parts: { Planner: revisePlan(PLAN), PlanAuditor },
      policy: { stagnation_detection: { min_improvement_points: 0 } },
    });
    expect(reviewEvents(played).map(({ decision }) => decision)).toEqual(["REPLAN", "REPLAN", "REPLAN", "GO"]);
    expect(JSON.stringify(inputsOf(played, "Planner")[3]?.["findings"])).toContain("is back: a typo");
  });

  test("[P-16] a finding that remains goes back with the iteration and the id of the first", async () => {
    const PlanAuditor = turns(objection("no rollback"), objection("no rollback"), audits("APPROVED"));
    const played = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor } });
    expect(inputsOf(played, "Planner")[2]?.["findings"]).toMatchObject([
      { regression_iteration: 1, regression_finding_id: "PA-1.1" },
    ]);
  });
});

describe("a reviewer without a usable answer", () => {
  test("[P-57] is asked again once with what was wrong; then a person is asked", async () => {
    const PlanAuditor: Part = () => ({ contract: { status: "APPROVED" } });
    const played = await play({ parts: { PlanAuditor } });
    expect(played.status).toBe("waiting");
    expect(sentTo(played, "PlanAuditor")).toHaveLength(2);
    expect(sentTo(played, "PlanAuditor")[1]?.retry).toMatchObject({ because: expect.stringContaining("confidence") });
    expect(asked(played, "No answer from PlanAuditor")).toBeDefined();
  });

  test("[P-11] has not abstained: a person may continue without it", async () => {
    const parts = { PlanAuditor: () => silent() };
    const waiting = await play({ parts });
    expect(waiting.status).toBe("waiting");
    const played = await play({ parts, answers: ["go on without"] });
    expect(played.status).toBe("done");
    expect(asked(played, "Wave 1")?.show).toMatchObject({ abstained: ["PlanAuditor"] });
  });

  test("may be asked again by a person, who may also end the run", async () => {
    const PlanAuditor = turns(
      () => silent(),
      () => silent(),
      () => silent(),
      audits("APPROVED"),
    );
    expect((await play({ parts: { PlanAuditor }, answers: ["ask again"] })).status).toBe("done");
    const parts = { PlanAuditor: () => silent() };
    expect((await play({ parts, answers: ["abort"] })).status).toBe("error");
  });

  test("[P-70] an executability verifier that abstains is asked again once, then a person decides", async () => {
    const parts = { Planner: revisePlan(large), ExecutabilityVerifier: simulates("ABSTAIN") };
    const waiting = await play({ parts });
    expect(waiting.status).toBe("waiting");
    expect(sentTo(waiting, "ExecutabilityVerifier")).toHaveLength(2);
    expect(roles(waiting)).not.toContain("CoreImplementer");
    const yes = await play({ parts, answers: ["yes"] });
    expect(yes.status).toBe("done");
    const no = await play({ parts, answers: ["no"] });
    expect(JSON.stringify(inputsOf(no, "Planner")[1]?.["findings"])).toContain("a person says");
  });

  test("[P-70] one retry is enough if it then reports PASS", async () => {
    const ExecutabilityVerifier = turns(simulates("PASS", { tasks_simulated: [] }), simulates("PASS"));
    const played = await play({ parts: { Planner: revisePlan(large), ExecutabilityVerifier } });
    expect(played.status).toBe("done");
    expect(sentTo(played, "ExecutabilityVerifier")).toHaveLength(2);
  });
});

describe("the end of a review", () => {
  test("[P-10] a rejection waits for a person with the findings, in any mode", async () => {
    const findings = [{ severity: "CRITICAL", description: "deletes the data" }];
    const played = await play({ parts: { PlanAuditor: audits("REJECTED", { findings }) } });
    expect(played).toMatchObject({ status: "waiting", exit: 3 });
    expect(sentTo(played, "Planner")).toHaveLength(1);
    expect(phasesOf(played).at(-1)).toBe("WAITING_APPROVAL");
    const question = asked(played, "the auditor rejects the plan");
    expect(question?.show).toMatchObject({ unresolved: [{ description: "deletes the data" }] });
    expect(reviewEvents(played)).toMatchObject([{ decision: "BLOCKED", requires_human_approval: true }]);
  });

  test("[P-10] a person may proceed, and the work can be committed", async () => {
    const played = await play({ parts: { PlanAuditor: audits("REJECTED") }, answers: ["proceed"] });
    expect(played.status).toBe("done");
    const refused = await play({ parts: { PlanAuditor: audits("REJECTED") }, answers: ["abort"] });
    expect(refused).toMatchObject({ status: "error", reason: "plan review: the auditor rejects the plan" });
    expect(roles(refused)).not.toContain("CoreImplementer");
  });

  test("[P-10] a critical finding that remains is a rejection", async () => {
    const findings = [{ severity: "CRITICAL", description: "deletes the data" }];
    const played = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor: audits("APPROVED", { findings }) } });
    expect(reviewEvents(played).map(({ decision }) => decision)).toEqual(["REPLAN", "BLOCKED"]);
  });

  test("[P-12] less than five points in three iterations stops and asks", async () => {
    const played = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor: scored(62, 64, 65, 90) } });
    expect(sentTo(played, "PlanAuditor")).toHaveLength(3);
    expect(asked(played, "3 points gained over 2 iterations")).toBeDefined();
    expect(played.status).toBe("waiting");
  });

  test("[P-12] five points are progress", async () => {
    const played = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor: scored(62, 64, 67, 72, 77) } });
    expect(sentTo(played, "PlanAuditor")).toHaveLength(5);
  });

  test.each([
    ["SMALL", 2],
    ["MEDIUM", 5],
  ])("[P-07] at %s there are at most %i iterations", async (complexity_tier, most) => {
    const plan = createProposal({ ...PLAN, complexity_tier, phases: PLAN.phases });
    const PlanAuditor = scored(10, 20, 30, 40, 50, 60);
    const played = await play({ parts: { Planner: revisePlan(plan), PlanAuditor } });
    expect(sentTo(played, "PlanAuditor")).toHaveLength(most);
    expect(asked(played, `all ${most} iterations are used`)).toBeDefined();
  });

  test("[P-07] [P-46] the policy sets the cap of a tier", async () => {
    const policy = { max_iterations_by_tier: { MEDIUM: 1 } };
    const played = await play({ parts: { PlanAuditor: objection("no rollback") }, policy });
    expect(sentTo(played, "PlanAuditor")).toHaveLength(1);
    expect(asked(played, "all 1 iterations are used")).toBeDefined();
  });

  test("[P-13] [P-77] the best version is presented with its unresolved issues", async () => {
    const policy = { stagnation_detection: { min_improvement_points: 0 }, max_iterations_by_tier: { MEDIUM: 3 } };
    const PlanAuditor = scored(62, 80, 80);
    const played = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor }, policy });
    expect(asked(played, "Proceed with the best version?")?.show).toMatchObject({
      plan: { success_criteria: ["version 3"] },
      unresolved: [{ description: "at 80" }],
    });
    const dropping = await play({
      parts: { Planner: revisePlan(PLAN), PlanAuditor: scored(80, 62) },
      policy: { max_iterations_by_tier: { MEDIUM: 2 } },
    });
    expect(asked(dropping, "Proceed with the best version?")?.show).toMatchObject({
      plan: { success_criteria: ["version 1"] },
    });
  });

  test("[P-03] a revision that changed phases, files or risks needs a new approval; one that did not needs none", async () => {
    const other = createProposal({
      ...PLAN,
      phases: [...PLAN.phases.slice(0, 2), phase(3, 2, { objective: "Otherwise" })],
    });
    const PlanAuditor = () => turns(objection("no rollback"), audits("APPROVED"));
    const changed = await play({ parts: { Planner: turns(plans(PLAN), plans(other)), PlanAuditor: PlanAuditor() } });
    expect(asked(changed, "The plan was revised in review")?.show).toMatchObject({
      plan: { task_title: PLAN.task_title },
    });
    const same = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor: PlanAuditor() } });
    expect(questions(same).filter(({ title }) => title.includes("revised"))).toEqual([]);
  });
});

describe("the rerun after a revision", () => {
  const PlanAuditor = () => turns(objection("no rollback"), audits("APPROVED"));
  const reworded = { ...PLAN, summary: "Three parts, said in better words." };

  test("[P-14] with wording changes only: just the reviewers that objected run again", async () => {
    const played = await play({ parts: { Planner: turns(plans(PLAN), plans(reworded)), PlanAuditor: PlanAuditor() } });
    expect(sentTo(played, "PlanAuditor")).toHaveLength(2);
    expect(sentTo(played, "AssumptionVerifier")).toHaveLength(1);
    expect(played.status).toBe("done");
  });

  test("[P-14] with any other change: the whole tier reviews again", async () => {
    const played = await play({ parts: { Planner: revisePlan(PLAN), PlanAuditor: PlanAuditor() } });
    expect(sentTo(played, "AssumptionVerifier")).toHaveLength(2);
  });

  test("[P-79] with wording changes only never skips an executability verifier that is in scope", async () => {
    const parts = { Planner: turns(plans(large), plans({ ...large, summary: reworded.summary })) };
    const played = await play({ parts: { ...parts, PlanAuditor: PlanAuditor() } });
    expect(sentTo(played, "AssumptionVerifier")).toHaveLength(1);
    expect(sentTo(played, "ExecutabilityVerifier")).toHaveLength(1);
    const again = await play({
      parts: {
        ...parts,
        Planner: turns(plans(large), plans({ ...large, summary: reworded.summary })),
        ExecutabilityVerifier: turns(simulates("WARN"), simulates("PASS")),
      },
    });
    expect(sentTo(again, "PlanAuditor")).toHaveLength(1);
    expect(sentTo(again, "ExecutabilityVerifier")).toHaveLength(2);
  });

  test("[P-79] a plan does not leave its review by shrinking", async () => {
    const tiny = createProposal({ ...SMALL, complexity_tier: "TRIVIAL" });
    const parts = { Planner: turns(plans(large), plans(tiny)), PlanAuditor: PlanAuditor() };
    const played = await play({ parts, policy: { max_iterations_by_tier: { TRIVIAL: 5 } } });
    expect(sentTo(played, "PlanAuditor")).toHaveLength(2);
    expect(sentTo(played, "ExecutabilityVerifier")).toHaveLength(1);
  });

  test("[P-14] results of finished reviewers are kept between iterations", async () => {
    const AssumptionVerifier = says("AssumptionVerifier", { status: "ABSTAIN" });
    const parts = { Planner: turns(plans(PLAN), plans(reworded)), PlanAuditor: PlanAuditor(), AssumptionVerifier };
    const played = await play({ parts });
    expect(asked(played, "Wave 1")?.show).toMatchObject({ abstained: ["AssumptionVerifier"] });
  });
});
