import { expect, test } from "vitest";
import { announced } from "../support/played.ts";
import { asked, audits, createProposal, PLAN_FILE, phase, plans, play, type Setting, turns } from "./paper.ts";

const CHANGE = { was: "parts are open", becomes: "parts are closed", tests: ["test/part.test.ts › is open"] };
const OTHER = { ...CHANGE, tests: ["test/part.test.ts › *"] };
const small = (...announces: object[]) =>
  createProposal({ phases: [phase(1, 1)], complexity_tier: "TRIVIAL", announces });
/** Ada approves every question. */
const yes: Setting["answer"] = ({ choices }) =>
  choices.find((choice) => ["approve", "y", "commit", "proceed"].includes(choice));

test("[A-28] changes that a plan declares are shown with it, and take effect once a person has approved it", async () => {
  const played = await play({ parts: { Planner: plans(small(CHANGE)) }, approvals: "interactive", answer: yes });
  expect(played.status).toBe("done");
  const question = asked(played, "Approve the plan?");
  expect(question?.show).toMatchObject({
    plan: { announces: [CHANGE] },
    excuses: [expect.stringMatching(/^parts are open → /)],
  });
  expect(question?.brief).toContainEqual({ title: "Approving it excuses", lines: [expect.any(String)] });
  expect(played.files[PLAN_FILE]).toContain(
    "- declared change: parts are open → parts are closed (test/part.test.ts › is open)",
  );
  expect(announced(played)).toEqual([[CHANGE]]);
  const first = played.records.findIndex((each) => each.type === "agent.started" && each.role === "CoreImplementer");
  const said = played.records.findIndex((each) => each.type === "step.started" && each.verb === "announce");
  expect(first).toBeGreaterThan(said);
});

test("[A-28] if only the mode approves and no person does, nothing is declared", async () => {
  const played = await play({ parts: { Planner: plans(small(CHANGE)) } });
  expect(played.status).toBe("done");
  expect(announced(played)).toEqual([]);
});

test("[A-28] a declaration added by a revision needs its own approval", async () => {
  const phases = [phase(1, 1), phase(2, 1), phase(3, 2)];
  const before = createProposal({ phases, complexity_tier: "MEDIUM", announces: [CHANGE] });
  const after = createProposal({ phases, complexity_tier: "MEDIUM", announces: [OTHER] });
  const finding = { severity: "MAJOR", description: "one test is not named" };
  const parts = {
    Planner: turns(plans(before), plans(after)),
    PlanAuditor: turns(audits("NEEDS_REVISION", { findings: [finding] }), audits("APPROVED")),
  };
  const played = await play({ parts, approvals: "interactive", answer: yes });
  expect(asked(played, "The plan was revised in review")?.show).toMatchObject({ plan: { announces: [OTHER] } });
  expect(announced(played)).toEqual([[OTHER]]);
});

test("the kind that a plan states is the one examined: a fix without a test that shows it asks a person", async () => {
  const fix = createProposal({ phases: [phase(1, 1)], complexity_tier: "TRIVIAL", kind: "fix" });
  const asks = async (plan: object) => {
    const played = await play({ parts: { Planner: plans(plan) }, approvals: "interactive", answer: yes });
    return asked(played, "It was declared as a fix")?.show;
  };
  expect(await asks(fix)).toMatchObject({ open: [expect.stringContaining("no test is red without it")] });
  expect(await asks(createProposal({ phases: [phase(1, 1)], complexity_tier: "TRIVIAL" }))).toBeUndefined();
});
