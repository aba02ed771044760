import type { AttemptRequest } from "../../../src/core/journal/effect.ts";
import { phases } from "../../../src/pipelines/phases/index.ts";
import {
  createProposal,
  createReply,
  createPhase as phaseOf,
} from "../../../src/pipelines/phases/planning/plan.fixture.ts";
import { type Play, paperWorld } from "./paper-world.ts";
import { anyInput, COMMANDS, cast, type Scenario, takeFirst } from "./scenario.ts";

const phase = (id: number, wave: number) =>
  phaseOf(id, {
    wave,
    objective: `Build part ${id}`,
    files: [{ path: `src/part-${id}.ts`, action: "create", reason: "new" }],
    tests: [`part ${id} works`],
    steps: ["Write a test", "Make it pass"],
    dependencies: wave > 1 ? [1] : [],
  });

export const PLAN = createProposal({
  task_title: "Add three parts",
  summary: "Three parts, the last on top of the first.",
  phases: [phase(1, 1), phase(2, 1), phase(3, 2)],
  complexity_tier: "MEDIUM",
});

const replyWith = (agent: string, fields: { status: string } & Record<string, unknown>): Play => ({
  contract: createReply(agent, fields),
});

const answers: Readonly<Record<string, (request: AttemptRequest) => Play>> = {
  CodeMapper: () => replyWith("CodeMapper", { status: "COMPLETE", answer: "one folder" }),
  Researcher: () => replyWith("Researcher", { status: "COMPLETE", scope_in: ["src"], scope_out: ["docs"] }),
  Planner: () => ({ contract: PLAN }),
  PlanAuditor: ({ round }) =>
    round === 1
      ? replyWith("PlanAuditor", {
          status: "NEEDS_REVISION",
          scoring: { percentage: 70 },
          findings: [{ severity: "MAJOR", description: "no rollback is named" }],
        })
      : replyWith("PlanAuditor", { status: "APPROVED", scoring: { percentage: 90 } }),
  AssumptionVerifier: () => replyWith("AssumptionVerifier", { status: "COMPLETE", scoring: { percentage: 90 } }),
  // Dispatched if a person or a variation makes the plan's review longer.
  ExecutabilityVerifier: () =>
    replyWith("ExecutabilityVerifier", {
      status: "PASS",
      tasks_simulated: [{ task_id: "1", task_verdict: "EXECUTABLE" }],
    }),
  CoreImplementer: ({ task }) => {
    const file = `src/${task.replace("phase", "part")}.ts`;
    return {
      ...replyWith("CoreImplementer", { status: "COMPLETE", changes: [{ file }] }),
      files: { [file]: "export {};\n" },
    };
  },
  CodeReviewer: () => replyWith("CodeReviewer", { status: "APPROVED" }),
};

const createScenario = (name: string, parts: typeof answers, more: Pick<Scenario, "answer" | "expect">): Scenario => {
  const pipeline = anyInput(phases);
  const play = cast({ ...answers, ...parts });
  return {
    name: `phases: ${name}`,
    pipeline,
    input: { request: "Add three parts" },
    approvals: "interactive",
    commands: COMMANDS,
    perform: paperWorld({ pipeline, base: {}, commands: COMMANDS, play }),
    ...more,
  };
};

export const phasesScenarios: readonly Scenario[] = [
  createScenario(
    "a plan is revised once, built in two waves and committed",
    {},
    {
      answer: takeFirst,
      expect: {
        status: "done",
        exit: 0,
        gates: {
          PLAN_GATE: true,
          PLAN_REVIEW_GATE: true,
          "PREFLECT_GATE phase-1": true,
          "PREFLECT_GATE phase-2": true,
          "PREFLECT_GATE phase-3": true,
          "PHASE_REVIEW_GATE phase-1": true,
          "PHASE_REVIEW_GATE phase-2": true,
          "PHASE_REVIEW_GATE phase-3": true,
          COMPLETION_GATE: true,
        },
        commits: 1,
      },
    },
  ),
  createScenario(
    "a confirmed issue that comes back goes to a person, who gives up",
    {
      CodeReviewer: ({ input }) => {
        // The dispatch contains the reviewed phase.
        const { phase_id } = input as { phase_id: number };
        const issue = { severity: "MAJOR", description: "the input is not checked", file: "src/part-2.ts" };
        const blocking = phase_id === 2 ? [issue] : [];
        return replyWith("CodeReviewer", {
          status: blocking.length > 0 ? "NEEDS_REVISION" : "APPROVED",
          validated_blocking_issues: blocking,
        });
      },
    },
    {
      answer: ({ title, choices }) => (title.startsWith("Try again?") ? "abort" : (choices[0] ?? "")),
      expect: {
        status: "error",
        exit: 1,
        reason: "phase 2: no retry left for fixable",
        gates: {
          PLAN_GATE: true,
          PLAN_REVIEW_GATE: true,
          "PREFLECT_GATE phase-1": true,
          "PREFLECT_GATE phase-2": true,
          "PHASE_REVIEW_GATE phase-1": true,
          "PHASE_REVIEW_GATE phase-2": false,
        },
        commits: 0,
      },
    },
  ),
];
