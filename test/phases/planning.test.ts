import { describe, expect, test } from "vitest";
import { formatPlan } from "../../src/pipelines/phases/artifacts.ts";
import { Plan } from "../../src/pipelines/phases/planning/plan.ts";
import {
  answered,
  asked,
  createHighRisk,
  createProposal,
  eventsOf,
  inputsOf,
  judged,
  notesOf,
  PLAN,
  PLAN_FILE,
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
  TASK,
  turns,
} from "./paper.ts";

const INVALID = createProposal({ phases: [phase(1, 1, { executor_agent: undefined }), phase(2, 2)] });
const small = { Planner: plans(SMALL) };

describe("the research gate", () => {
  test("[P-47] only CodeMapper and Researcher work before the Planner, and the scope is recorded first", async () => {
    const played = await play({ parts: small });
    expect(roles(played).slice(0, 3).toSorted()).toEqual(["CodeMapper", "Planner", "Researcher"]);
    expect(roles(played)[2]).toBe("Planner");
    const started = played.records.findIndex((each) => each.type === "agent.started" && each.role === "Planner");
    const noted = played.records.findIndex(
      (each) => each.type === "step.finished" && JSON.stringify(each.value ?? null).includes('"out_of_scope":"docs"'),
    );
    expect(noted).toBeGreaterThan(0);
    expect(noted).toBeLessThan(started);
    expect(inputsOf(played, "Planner")[0]).toMatchObject({ research_scope: { in: ["src"], out: ["docs"] } });
  });

  test("[P-47] research without results still records a scope, and is named when the plan is shown", async () => {
    const Researcher = says("Researcher", { status: "ABSTAIN", scope_in: ["?"], scope_out: ["?"] });
    const played = await play({ parts: { ...small, Researcher } });
    expect(notesOf(played)).toMatchObject({ in_scope: "Add three parts" });
    expect(asked(played, "Approve the plan?")?.show).toMatchObject({ unheard: ["Researcher"] });
  });
});

describe("the plan gate", () => {
  test("[P-02] an invalid plan goes back with its problems, and no phase of it runs", async () => {
    const played = await play({ parts: { Planner: turns(plans(INVALID), plans(SMALL)) } });
    expect(played.status).toBe("done");
    expect(inputsOf(played, "Planner")[1]?.["findings"]).toMatchObject([
      { message: 'phase 1: executor_agent "" is not on the roster' },
    ]);
    expect(eventsOf(played).slice(0, 2)).toMatchObject([
      { payload: { event_type: "PLAN_GATE", decision: "REPLAN" } },
      { payload: { event_type: "PLAN_GATE", decision: "GO" } },
    ]);
    expect(roles(played).indexOf("CoreImplementer")).toBeGreaterThan(roles(played).lastIndexOf("Planner"));
  });

  test("[P-17] a phase without an executor is never dispatched to a guessed one", async () => {
    const played = await play({ parts: { Planner: plans(INVALID) }, answers: ["abort"] });
    expect(roles(played)).not.toContain("CoreImplementer");
    expect(judged(played, "PLAN_GATE")).toContainEqual(["P-17", false]);
    expect(asked(played, "The plan is still not valid")).toBeDefined();
    expect(sentTo(played, "Planner")).toHaveLength(3);
  });

  test("[P-18] an agent off the roster gets no dispatch", async () => {
    const stranger = createProposal({ phases: [phase(1, 1, { executor_agent: "ThirdPartyBot" }), phase(2, 2)] });
    const played = await play({ parts: { Planner: turns(plans(stranger), plans(SMALL)) } });
    expect(roles(played)).not.toContain("ThirdPartyBot");
    expect(judged(played, "PLAN_GATE")).toContainEqual(["P-17", false]);
  });

  test("[P-48] a plan without design decisions is refused before a person is asked about it", async () => {
    const bare = createProposal({ design_decisions: undefined });
    const played = await play({ parts: { Planner: turns(plans(bare), plans(SMALL)) } });
    expect(judged(played, "PLAN_GATE")).toContainEqual(["P-48", false]);
    expect(questions(played).filter(({ title }) => title === "Approve the plan?")).toHaveLength(1);
  });

  test("[P-71] a tier that is too low is shown as a finding and not used", async () => {
    const files = Array.from({ length: 6 }, (_, at) => ({ path: `src/${at}.ts`, action: "reference" }));
    const phases = [phase(1, 1), phase(2, 2), phase(3, 3, { files })];
    const played = await play({
      parts: { Planner: plans(createProposal({ complexity_tier: "TRIVIAL", phases })) },
      answers: [],
    });
    expect(asked(played, "Approve the plan?")?.show).toMatchObject({
      tier: "MEDIUM",
      findings: [{ message: "complexity_tier is declared as TRIVIAL, its files make it MEDIUM" }],
    });
    expect(roles(played)).toContain("AssumptionVerifier");
  });
});

describe("the planner", () => {
  test.each(["ABSTAIN", "REPLAN_REQUIRED"])(
    "[P-69] %s waits for a person with the reasons, unreviewed",
    async (status) => {
      const abstain = { is_abstaining: status === "ABSTAIN", reasons: ["the schema is not in the repository"] };
      const played = await play({ parts: { Planner: plans({ ...PLAN, status, abstain }) } });
      expect(played).toMatchObject({ status: "waiting", exit: 3 });
      expect(roles(played)).not.toContain("PlanAuditor");
      expect(phasesOf(played).at(-1)).toBe("WAITING_APPROVAL");
      const question = asked(played, `The planner answers ${status}`);
      expect(JSON.stringify(question?.show)).toContain("the schema is not in the repository");
      expect(eventsOf(played)[0]?.payload).toMatchObject({
        decision: status === "ABSTAIN" ? "ABSTAIN" : "REPLAN",
        requires_human_approval: true,
      });
    },
  );

  test("[P-69] a person can have it plan again, and their note is included", async () => {
    const Planner = turns(plans({ ...SMALL, status: "ABSTAIN" }), plans(SMALL));
    const played = await play({ parts: { Planner }, answers: [{ choice: "plan again", note: "see docs/schema.md" }] });
    expect(played.status).toBe("done");
    expect(sentTo(played, "Planner")[1]?.refusals).toMatchObject([{ by: "Ada", note: "see docs/schema.md" }]);
  });

  test("[P-69] a person can end the run", async () => {
    const played = await play({ parts: { Planner: plans({ ...SMALL, status: "ABSTAIN" }) }, answers: ["abort"] });
    expect(played).toMatchObject({ status: "error", reason: "no plan: The planner answers ABSTAIN" });
  });

  test("[P-57] an answer without confidence or abstention is retried once, with the problem as the hint", async () => {
    const { confidence: _, abstain: __, ...bare } = SMALL;
    const played = await play({ parts: { Planner: turns(plans(bare), plans(SMALL)) } });
    expect(played.status).toBe("done");
    const [first, second] = sentTo(played, "Planner");
    expect(first?.retry).toBeUndefined();
    expect(second?.retry).toMatchObject({ number: 1, because: expect.stringMatching(/confidence.*abstain/s) });
  });

  test("[P-57] a second invalid answer goes to a person, and no plan results", async () => {
    const played = await play({ parts: { Planner: plans({ ...SMALL, agent: "Somebody" }) } });
    expect(played.status).toBe("waiting");
    expect(sentTo(played, "Planner")).toHaveLength(2);
    expect(asked(played, "No answer from the planner")).toBeDefined();
  });

  test("[P-57] a silent planner yields no plan", async () => {
    const played = await play({ parts: { Planner: () => silent() } });
    expect(played.status).toBe("waiting");
    expect(asked(played, "No answer from the planner")).toBeDefined();
  });
});

describe("the approval", () => {
  test("[P-03] nothing is built before a person has approved the plan", async () => {
    const played = await play({ parts: small, approvals: "interactive" });
    expect(played).toMatchObject({ status: "waiting", exit: 3 });
    expect(questions(played).map(({ title }) => title)).toEqual(["Approve the plan?"]);
    expect(roles(played)).not.toContain("CoreImplementer");
  });

  test("[P-03] autonomous mode records an automatic approval", async () => {
    const played = await play({ parts: small });
    expect(answered(played)[0]).toEqual(["automatic", "approve"]);
  });

  test("[P-03] a person sends it back with a note, or refuses it", async () => {
    const answers = [{ choice: "revise", note: "smaller" }, "abort"];
    const played = await play({ parts: small, approvals: "interactive", answers });
    const told = { by: "Ada", note: "smaller", asked: "Approve the plan?" };
    expect(sentTo(played, "Planner")[1]?.refusals).toEqual([told]);
    expect(played).toMatchObject({ status: "error", reason: "the plan was refused" });
    expect(roles(played)).not.toContain("CoreImplementer");
  });

  test("[P-16] a plan that replaces another names it, and the older one is archived", async () => {
    const Planner = turns(plans(SMALL), plans(createProposal({ ...SMALL, summary: "Adds them otherwise." })));
    const answers = [{ choice: "revise", note: "smaller" }, "abort"];
    const played = await play({ parts: { Planner }, approvals: "interactive", answers });
    const older = `plans/artifacts/${TASK}/plan-v1.md`;
    // The older plan is written there when it is replaced, so no dispatch reads it before.
    expect(inputsOf(played, "Planner")[1]).not.toHaveProperty("revision_of");
    expect(questions(played)[1]?.show).toMatchObject({
      plan: { revision_of: older },
      refused: [{ by: "Ada", said: "smaller" }],
    });
    expect(played.files[older]).toContain(SMALL.summary);
    expect(played.files[PLAN_FILE]).toContain("Adds them otherwise.");
  });
});

describe("a plan given by path", () => {
  const file = "plans/mine.md";
  const handed = (plan: object, more: object = {}) => ({
    input: { plan_path: file },
    checkout: { [file]: formatPlan(Plan.parse(plan)) },
    ...more,
  });

  test("[P-58] is validated, approved and checked for review triggers like any other; nobody plans it again", async () => {
    const played = await play(handed(PLAN));
    expect(played.status).toBe("done");
    expect(roles(played)).not.toContain("Planner");
    expect(roles(played).slice(0, 2)).toEqual(["PlanAuditor", "AssumptionVerifier"]);
    expect(questions(played)[0]?.title).toBe("Approve the plan?");
    expect(eventsOf(played)[0]?.payload.event_type).toBe("PLAN_GATE");
  });

  test("[P-58] that triggers no review gets none", async () => {
    const played = await play(handed(SMALL));
    expect(roles(played)).not.toContain("PlanAuditor");
  });

  test("[P-58] is not approved because it was submitted", async () => {
    const played = await play(handed(SMALL, { approvals: "interactive" }));
    expect(played.status).toBe("waiting");
    expect(roles(played)).toEqual([]);
  });

  test("[P-58] that breaks a rule goes to the planner with the problem", async () => {
    const played = await play(handed(INVALID, { parts: small }));
    expect(judged(played, "PLAN_GATE")).toContainEqual(["P-17", false]);
    expect(inputsOf(played, "Planner")[0]).toMatchObject({
      findings: [{ message: expect.stringContaining("phase 1") }],
    });
    expect(played.status).toBe("done");
  });

  test("[P-58] that cannot be read ends the run before any dispatch", async () => {
    const broken = await play({ input: { plan_path: file }, checkout: { [file]: '{"status":"READY_FOR_EXECUTION"}' } });
    expect(broken).toMatchObject({
      status: "error",
      reason: expect.stringMatching(/plans\/mine\.md: agent: expected/),
    });
    expect(broken.sent).toEqual([]);
    const missing = await play({ input: { plan_path: file } });
    expect(missing.reason).toBe("plans/mine.md: expected a plan, found no file");
  });

  test("[P-16] that is revised in review is named by its source file", async () => {
    const risky = createProposal({ ...SMALL, ...createHighRisk() });
    const mild = createProposal({ ...SMALL, ...createHighRisk({ disposition: "resolved" }) });
    const PlanAuditor = turns(
      says("PlanAuditor", { status: "NEEDS_REVISION", findings: [{ severity: "MAJOR", description: "no rollback" }] }),
      says("PlanAuditor", { status: "APPROVED", scoring: { percentage: 90 } }),
    );
    const played = await play(handed(risky, { parts: { PlanAuditor, Planner: plans(mild) } }));
    expect(asked(played, "The plan was revised in review")?.show).toMatchObject({ plan: { revision_of: file } });
    expect(played.files[file]).toBeUndefined();
  });
});
