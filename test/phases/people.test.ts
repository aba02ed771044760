import { describe, expect, test } from "vitest";
import {
  asked,
  audits,
  builds,
  createProposal,
  createReply,
  inputsOf,
  mirages,
  type Part,
  PLAN,
  phase,
  plans,
  play,
  questions,
  roles,
  SMALL,
  says,
  sentTo,
  turns,
} from "./paper.ts";

const titles = (played: Awaited<ReturnType<typeof play>>) =>
  questions(played).map(({ title }) => title.split(/[:.?]/)[0]);
const good = builds(() => "export {};\n");
const interactive = { approvals: "interactive" } as const;

describe("a plan's question about its scope", () => {
  const open = { question: "With or without dates?", options: ["with", "without"], recommendation: "without" };
  const plan = (objective: string) =>
    createProposal({
      phases: [phase(1, 1, { objective }), phase(2, 2)],
      open_questions: [{ ...open, class: "scope_ambiguity" }],
    });

  test("[P-53] comes before the plan's approval, and all agents that work on it get the answer", async () => {
    const Planner = plans(plan("without dates"));
    const played = await play({ ...interactive, parts: { Planner }, answers: ["without", "approve", "y", "commit"] });
    expect(played.status).toBe("done");
    expect(titles(played)).toEqual(["With or without dates", "Approve the plan", "Wave 2", "All phases are complete"]);
    const decisions = [{ question: open.question, choice: "without", by: "Ada" }];
    for (const role of ["CoreImplementer", "CodeReviewer"]) {
      for (const input of inputsOf(played, role)) expect(input).toMatchObject({ decisions });
    }
  });

  test("[P-53] answered differently from the plan's assumption, sends it back before anybody approves it", async () => {
    const Planner = turns(plans(plan("without dates")), plans(plan("with dates")));
    const played = await play({ ...interactive, parts: { Planner }, answers: ["with", "approve"] });
    expect(titles(played).slice(0, 2)).toEqual(["With or without dates", "Approve the plan"]);
    expect(sentTo(played, "Planner")).toHaveLength(2);
    expect(inputsOf(played, "Planner")[1]).toMatchObject({ decisions: [{ choice: "with" }] });
    expect(JSON.stringify(asked(played, "Approve the plan?")?.show)).toContain("with dates");
  });
});

describe("a person's note", () => {
  const note = "src/part-1.ts says hello, no more";

  test("that names a file goes to the phases that have it and to their reviewers only", async () => {
    const answers = [{ choice: "approve", note }, "y", "commit"];
    const played = await play({ ...interactive, parts: { Planner: plans(SMALL) }, answers });
    expect(played.status).toBe("done");
    for (const role of ["CoreImplementer", "CodeReviewer"]) {
      const told = inputsOf(played, role).filter((input) => JSON.stringify(input["decisions"] ?? []).includes(note));
      expect(told.map((input) => input["phase_id"])).toEqual([1]);
    }
  });

  test("to a retry goes to the phase that it names; the others get their failures", async () => {
    const plan = createProposal({ phases: [phase(1, 1), phase(2, 1)], complexity_tier: "SMALL" });
    const CoreImplementer = builds(() => "BROKEN\n");
    const played = await play({ parts: { Planner: plans(plan), CoreImplementer }, answers: [{ choice: "yes", note }] });
    const told = inputsOf(played, "CoreImplementer").filter((input) => String(input["fix_hint"]).includes(note));
    expect(told.map((input) => input["phase_id"])).toEqual([1]);
  });
});

describe("a person who has just approved the plan", () => {
  test("is not asked immediately about its first wave", async () => {
    const played = await play({ ...interactive, parts: { Planner: plans(SMALL) }, answers: ["approve"] });
    expect(titles(played)).toEqual(["Approve the plan", "Wave 2"]);
    expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
  });

  test("is asked again if a reviewer has abstained since", async () => {
    const PlanAuditor = says("PlanAuditor", { status: "ABSTAIN" });
    const played = await play({ ...interactive, parts: { PlanAuditor }, answers: ["approve"] });
    expect(asked(played, "Wave 1")?.show).toMatchObject({ abstained: ["PlanAuditor"] });
  });

  test("is asked about irreversible actions", async () => {
    const risky = createProposal({
      phases: [phase(1, 1, { destructive: true }), phase(2, 2)],
      complexity_tier: "SMALL",
    });
    const played = await play({ ...interactive, parts: { Planner: plans(risky) }, answers: ["approve"] });
    expect(asked(played, "Wave 1")?.show).toMatchObject({ confirms: ["destructive"] });
  });

  test("may add a note, and it reaches the reviewers of the plan and the executors", async () => {
    const answers = [{ choice: "approve", note: "keep the old names" }, "y", "commit"];
    const played = await play({ ...interactive, answers });
    expect(played.status).toBe("done");
    const told = { decisions: [{ choice: "approved, with this note: keep the old names", by: "Ada" }] };
    for (const role of ["PlanAuditor", "AssumptionVerifier", "CoreImplementer", "CodeReviewer"]) {
      for (const input of inputsOf(played, role)) expect(input).toMatchObject(told);
    }
  });
});

test("a note to the approval of a wave reaches its phases", async () => {
  const answers = ["approve", { choice: "y", note: "mind the clock" }, "commit"];
  const played = await play({ ...interactive, parts: { Planner: plans(SMALL) }, answers });
  const [first, second] = inputsOf(played, "CoreImplementer");
  expect(first).not.toHaveProperty("decisions");
  expect(second).toMatchObject({ decisions: [{ choice: "yes: mind the clock" }] });
});

describe("a plan that was revised in review", () => {
  const second = { ...PLAN, phases: [phase(1, 1, { objective: "second" }), phase(2, 1), phase(3, 2)] };
  const third = { ...PLAN, phases: [phase(1, 1, { objective: "third" }), phase(2, 1), phase(3, 2)] };
  const parts = {
    Planner: turns(plans(PLAN), plans(second), plans(third)),
    PlanAuditor: turns(
      audits("NEEDS_REVISION", { findings: [{ severity: "MAJOR", description: "d" }] }),
      audits("APPROVED"),
    ),
    AssumptionVerifier: mirages(),
  };

  test("is sent back by a person with a note, and returns as a new plan with its approval and its review", async () => {
    const answers = ["approve", { choice: "revise", note: "in one wave" }, "approve"];
    const played = await play({ ...interactive, parts, answers });
    expect(asked(played, "revised in review")).toMatchObject({ choices: ["approve", "revise", "abort"] });
    const [, , third] = sentTo(played, "Planner");
    expect(third?.refusals).toMatchObject([{ by: "Ada", note: "in one wave", asked: expect.stringContaining("plan") }]);
    expect(sentTo(played, "PlanAuditor")).toHaveLength(3);
    expect(titles(played).filter((title) => title === "Approve the plan")).toHaveLength(2);
  });
});

test("a person's note to a failed phase goes to its executor, with the failure", async () => {
  const fails: Part = () => ({
    contract: createReply("CoreImplementer", { status: "FAILED", summary: "no such module" }),
  });
  const CoreImplementer = turns(fails, fails, good);
  const answers = [{ choice: "yes", note: "it is in lib/" }];
  const played = await play({ parts: { Planner: plans(SMALL), CoreImplementer }, answers });
  expect(inputsOf(played, "CoreImplementer")[2]).toMatchObject({
    fix_hint: "a person says: it is in lib/\nno such module",
  });
});

test("[P-54] a question without a failure class reaches a person too", async () => {
  const option = (id: string) => ({ id, description: `Keep it in a ${id}` });
  const clarification_request = {
    options: [option("file"), option("table")],
    impact_analysis: "Where it is kept decides how fast it is.",
    recommended_option: "file",
    recommended_option_rationale: "It is the simplest way.",
  };
  const { failure_classification: _, ...contract } = createReply("CoreImplementer", {
    status: "NEEDS_INPUT",
    clarification_request,
  });
  const CoreImplementer = turns(() => ({ contract }), good);
  const played = await play({ parts: { Planner: plans(SMALL), CoreImplementer } });
  expect(asked(played, "Phase 1 (Part 1) asks")).toBeDefined();
  expect(played.status).toBe("done");
});

test("a project without a build command can be checked again, and then built", async () => {
  const commands = [{ name: "test", run: "true" }];
  const played = await play({ parts: { Planner: plans(SMALL) }, commands, answers: ["look again", "go on"] });
  expect(questions(played).filter(({ title }) => title.startsWith("This project has no build"))).toHaveLength(2);
  expect(played.status).toBe("done");
  expect(roles(played)).toContain("CoreImplementer");
});
