import { expect, test } from "vitest";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import {
  asked,
  commits,
  createProposal,
  eventsOf,
  inputsOf,
  judged,
  PLAN,
  type Played,
  phase,
  plans,
  play,
  questions,
  SMALL,
  says,
  sentTo,
  turns,
} from "./paper.ts";

const one = (more: object) => createProposal({ phases: [phase(1, 1, more)], complexity_tier: "SMALL" });
const listGateEvents = (played: Played, type: string) =>
  eventsOf(played).flatMap(({ payload }) => (payload.event_type === type ? [payload] : []));

test("[P-19] PreFlect decides before each dispatch of an executor, and the decision is recorded", async () => {
  const played = await play();
  const order = played.records.flatMap((each) => {
    if (each.type === "gate.evaluated" && each.gate.startsWith("PREFLECT_GATE") && each.rule === "P-20")
      return [each.gate];
    return each.type === "agent.started" && each.role === "CoreImplementer" ? [`${each.task}`] : [];
  });
  expect(order.indexOf("PREFLECT_GATE phase-3")).toBe(order.indexOf("phase-3") - 1);
  expect(listGateEvents(played, "PREFLECT_GATE").map(({ decision, phase_id }) => [decision, phase_id])).toEqual([
    ["GO", 1],
    ["GO", 2],
    ["GO", 3],
  ]);
});

test("[P-19] an invalid payload is not sent: the phase goes back to the planner", async () => {
  const broken = createProposal({ phases: [phase(1, 1, { objective: "" })], complexity_tier: "SMALL" });
  const played = await play({ parts: { Planner: turns(plans(broken), plans(one({}))) } });
  expect(listGateEvents(played, "PREFLECT_GATE").map(({ decision }) => decision)).toEqual(["REPLAN", "GO"]);
  expect(inputsOf(played, "Planner")[1]).toMatchObject({ failed_phase: { phase_id: 1 } });
  expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
  expect(played.status).toBe("done");
});

test.each(["interactive", "autonomous"] as const)(
  "[P-20] nothing destructive is dispatched without a person, %s",
  async (approvals) => {
    const parts = { Planner: plans(one({ destructive: true })) };
    const answer = ({ title }: { title: string }) => (title.startsWith("Wave") ? undefined : "approve");
    const played = await play({ parts, approvals, answer });
    expect(played).toMatchObject({ status: "waiting", exit: 3 });
    expect(sentTo(played, "CoreImplementer")).toEqual([]);
    expect(listGateEvents(played, "HIGH_RISK_APPROVAL_GATE")).toMatchObject([
      { decision: "BLOCKED", requires_human_approval: true },
    ]);
  },
);

test("[P-20] a person's approval allows the dispatch, and unblocks the commit", async () => {
  const played = await play({ parts: { Planner: plans(one({ destructive: true })) }, answers: ["y"] });
  expect(played).toMatchObject({ status: "done", exit: 0 });
  expect(listGateEvents(played, "HIGH_RISK_APPROVAL_GATE").map(({ decision }) => decision)).toEqual(["BLOCKED", "GO"]);
  expect(commits(played)).toHaveLength(1);
});

test.each([
  ["declared", "drop_table", { approval_actions: ["drop_table"] }],
  ["named in a step", "drop_table", { steps: ["Drop the users table"] }],
  ["irreversible", "destructive", { objective: "Make an irreversible change" }],
])("[P-52] autonomous mode waits for a person if an action is %s, and shows it", async (_how, risk, more) => {
  const played = await play({ parts: { Planner: plans(one(more)) } });
  expect(played.status).toBe("waiting");
  expect(sentTo(played, "CoreImplementer")).toEqual([]);
  expect(questions(played).at(-1)).toMatchObject({
    auto: "never",
    show: { confirms: [expect.stringContaining(risk)] },
  });
});

test("[P-52] a replan that becomes destructive waits for a person too", async () => {
  const fails = () => ({
    contract: {
      agent: "CoreImplementer",
      status: "FAILED",
      failure_classification: "needs_replan",
      confidence: 0.9,
      abstain: { is_abstaining: false, reasons: [] },
    },
  });
  const parts = { Planner: turns(plans(one({})), plans(one({ destructive: true }))), CoreImplementer: fails };
  const played = await play({ parts });
  expect(played.status).toBe("waiting");
  expect(asked(played, "was replanned")).toMatchObject({ auto: "never" });
  expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
});

test("[P-34] each wave is approved once, by one question", async () => {
  const played = await play();
  expect(questions(played).flatMap(({ title }) => (title.startsWith("Wave") ? [title] : []))).toEqual([
    "Wave 1: 2 phases, agents: [CoreImplementer-subagent]. Approve all? (y/n/details)",
    "Wave 2: 1 phases, agents: [CoreImplementer-subagent]. Approve all? (y/n/details)",
  ]);
});

test("[P-34] a wave with a production phase is asked phase by phase, and only the risky one needs a person", async () => {
  const mixed = createProposal({ phases: [phase(1, 1), phase(2, 1, { production: true })], complexity_tier: "SMALL" });
  const played = await play({ parts: { Planner: plans(mixed) } });
  const waves = questions(played).filter(({ title }) => title.startsWith("Wave"));
  expect(waves.map(({ auto, show }) => [auto, (show as { phases: string[] }).phases])).toEqual([
    ["y", ["Phase 1 — Part 1: Build part 1 (create src/part-1.ts)"]],
    ["never", ["Phase 2 — Part 2: Build part 2 (create src/part-2.ts)"]],
  ]);
});

test("[P-63] details lists scope, risk level and agent of each phase, and asks again", async () => {
  const said = ["approve", "details", "y"];
  const played = await play({ parts: { Planner: plans(SMALL) }, approvals: "interactive", answers: said });
  expect(asked(played, "Approve all? (y/n/details)")).toMatchObject({ choices: ["y", "n", "details"] });
  expect(asked(played, "Approve all? (y/n)")?.show).toMatchObject({
    details: [
      { phase_id: 2, scope: ["create src/part-2.ts"], risk_level: "MEDIUM", agent: "CoreImplementer-subagent" },
    ],
  });
  expect(sentTo(played, "CoreImplementer")).toHaveLength(2);
});

test("[P-63] a wave is described to a person in words, and its details never show less than the question before", async () => {
  const issue = { severity: "MINOR", description: "a name could be better", file: "src/part-1.ts" };
  const CodeReviewer = says("CodeReviewer", { status: "APPROVED", issues: [issue] });
  const criteria = phase(2, 2, { acceptance_criteria: ["part 2 greets"] });
  const plan = createProposal({ phases: [phase(1, 1), criteria], complexity_tier: "SMALL" });
  const answers = ["approve", "details"];
  const played = await play({ parts: { Planner: plans(plan), CodeReviewer }, approvals: "interactive", answers });
  const first = asked(played, "(y/n/details)");
  expect(first?.brief).toEqual([
    {
      title: "Phase 2: Part 2 (wave 2, CoreImplementer-subagent)",
      lines: [
        "Build part 2",
        "after phase 1",
        "files: src/part-2.ts (create)",
        "done when: part 2 greets",
        "test: part 2 works",
      ],
    },
    {
      title: "Phase 1 — Part 1: complete",
      lines: ["review: APPROVED", "changed: src/part-1.ts", "advice: a name could be better"],
    },
  ]);
  expect(first?.show).not.toHaveProperty("abstained");
  const second = asked(played, "(y/n)");
  expect(second?.show).toMatchObject(first?.show as object);
  const lines = (read: typeof first) => read?.brief?.flatMap((section) => section.lines) ?? [];
  expect(lines(second)).toEqual(expect.arrayContaining(lines(first)));
  expect(lines(second)).toEqual(
    expect.arrayContaining(["step 1: Write a test", "step 2: Make it pass", "risk: medium"]),
  );
});

test("[P-63] a refusal ends the run before anything of the wave is built", async () => {
  const played = await play({ parts: { Planner: plans(SMALL) }, approvals: "interactive", answers: ["approve", "n"] });
  expect(played).toMatchObject({ status: "error", reason: "wave 2 was refused" });
  expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
});

test("[P-64] the run pauses for the plan, for each wave with the verdicts of the one before, and before the commit", async () => {
  const finding = { severity: "MINOR", description: "a name could be better", file: "src/part-1.ts" };
  const reviewer = () => ({
    contract: {
      agent: "CodeReviewer",
      status: "APPROVED",
      confidence: 0.9,
      abstain: { is_abstaining: false, reasons: [] },
      issues: [finding],
    },
  });
  const played = await play({
    parts: { Planner: plans(SMALL), CodeReviewer: reviewer },
    approvals: "interactive",
    answers: ["approve", "y", "commit"],
  });
  expect(questions(played).map(({ title }) => title.split(/[:.?]/)[0])).toEqual([
    "Approve the plan",
    "Wave 2",
    "All phases are complete",
  ]);
  const [, second, last] = questions(played).map(({ show }) => show as { verdicts?: { phase: string }[] });
  expect(second?.verdicts).toMatchObject([
    { phase: "Phase 1 — Part 1", review: "APPROVED", advisory: expect.arrayContaining([finding.description]) },
  ]);
  expect(last?.verdicts).toMatchObject([{ phase: "Phase 2 — Part 2" }]);
});

test("[P-64] nothing is built before the plan is approved, nothing is committed before the summary is approved", async () => {
  const plan = await play({ approvals: "interactive" });
  expect(sentTo(plan, "CoreImplementer")).toEqual([]);
  const summary = await play({
    parts: { Planner: plans(SMALL) },
    approvals: "interactive",
    answers: ["approve", "y"],
  });
  expect(summary.status).toBe("waiting");
  expect(commits(summary)).toEqual([]);
});

test("[P-21] phases of a wave run in parallel up to the policy's limit", async () => {
  const wide = createProposal({ phases: [1, 2, 3, 4, 5].map((id) => phase(id, 1)), complexity_tier: "MEDIUM" });
  const most = async (policy: object) =>
    countMostAtOnce(await play({ parts: { Planner: plans(wide) }, policy }), () => true);
  expect(await most({})).toBe(5);
  expect(await most({ max_parallel_agents: 2 })).toBe(2);
});

test("[P-21] the plan's own limit applies too, and at most ten run at once", async () => {
  const wide = createProposal({
    phases: [1, 2, 3, 4].map((id) => phase(id, 1)),
    complexity_tier: "MEDIUM",
    max_parallel_agents: 3,
  });
  expect(countMostAtOnce(await play({ parts: { Planner: plans(wide) } }), () => true)).toBe(3);
  const { pipeline } = await import("./paper.ts");
  expect(pipeline.cap).toBe(10);
});

test("[P-21] the next wave starts when every phase of the one before is complete", async () => {
  const { records } = await play();
  const last = (gate: string) => records.findLastIndex((each) => each.type === "gate.evaluated" && each.gate === gate);
  const third = records.findIndex((each) => each.type === "agent.started" && each.task === "phase-3");
  expect(last("PHASE_REVIEW_GATE phase-1")).toBeLessThan(third);
  expect(last("PHASE_REVIEW_GATE phase-2")).toBeLessThan(third);
});

test("[P-22] a plan with one file in two phases of a wave is sent back, and no phase of it runs", async () => {
  const clash = { files: [{ path: "src/same.ts", action: "modify" }] };
  const bad = createProposal({ phases: [phase(1, 1, clash), phase(2, 1, clash)], complexity_tier: "SMALL" });
  const played = await play({ parts: { Planner: turns(plans(bad), plans(SMALL)) } });
  expect(judged(played, "PLAN_GATE")).toContainEqual(["P-22", false]);
  expect(inputsOf(played, "Planner")).toHaveLength(2);
  expect(inputsOf(played, "CoreImplementer").map((input) => input["phase_id"])).toEqual([1, 2]);
  expect(played.status).toBe("done");
});

/** Returns how many of the selected dispatches ran at once. */
function countMostAtOnce({ records }: Played, chosen: (task: string) => boolean): number {
  let now = 0;
  const counts = records.map((each) => {
    if (each.type !== "agent.started" && each.type !== "agent.finished") return now;
    if (each.role !== "CoreImplementer" || !chosen(each.task ?? "")) return now;
    now += each.type === "agent.started" ? 1 : -1;
    return now;
  });
  return Math.max(...counts);
}

const wide = (waves: readonly number[]) =>
  createProposal({
    phases: waves.map((wave, at) => phase(at + 1, wave)),
    complexity_tier: "MEDIUM",
    task_title: PLAN["task_title"],
  });
const builds = ({ task }: AttemptRequest) => {
  const file = `src/${task.replace("phase", "part")}.ts`;
  const contract = {
    agent: "CoreImplementer",
    status: "COMPLETE",
    confidence: 0.9,
    abstain: { is_abstaining: false, reasons: [] },
    changes: [{ file }],
  };
  return { contract, files: { [file]: "export {};\n" } };
};
const busy = { failure: { code: "rate_limit", transient: true } } as const;
const later = (task: string) => ["phase-5", "phase-6", "phase-7", "phase-8"].includes(task);

test("[P-31] transient failures of two phases of a wave halve the next", async () => {
  const shaky = (request: AttemptRequest) =>
    request.attempt === 1 && ["phase-1", "phase-2"].includes(request.task) ? busy : builds(request);
  const parts = { Planner: plans(wide([1, 1, 1, 1, 2, 2, 2, 2])), CoreImplementer: shaky };
  const played = await play({ parts, policy: { max_parallel_agents: 4, retry_budgets: { backoff_base_ms: 0 } } });
  expect(countMostAtOnce(played, (task) => !later(task))).toBe(4);
  expect(countMostAtOnce(played, later)).toBe(2);
});

test("[P-31] two transient failures of one phase count once", async () => {
  const shaky = (request: AttemptRequest) =>
    request.attempt <= 2 && request.task === "phase-1" ? busy : builds(request);
  const parts = { Planner: plans(wide([1, 1, 1, 1, 2, 2, 2, 2])), CoreImplementer: shaky };
  const played = await play({ parts, policy: { max_parallel_agents: 4, retry_budgets: { backoff_base_ms: 0 } } });
  expect(countMostAtOnce(played, later)).toBe(4);
});
