import { stringify } from "yaml";
import type { AttemptRequest } from "../../../src/core/journal/effect.ts";
import { ticket } from "../../../src/pipelines/ticket/index.ts";
import { type Play, paperWorld, THREE_TESTS } from "./paper-world.ts";
import { anyInput, COMMANDS, cast, type Scenario, takeFirst } from "./scenario.ts";

const createTask = (id: string, group: string, depends_on: readonly string[] = []) => ({
  id,
  description: `Build ${id}`,
  files_to_modify: [`src/${id}.ts`],
  success_criteria: ["it builds"],
  parallel_group: group,
  depends_on,
  status: "PENDING",
});

const GRAPH = {
  validation_policy: { baseline_allowlist: [] },
  tasks: [createTask("TASK-1", "A"), createTask("TASK-2", "A"), createTask("TASK-3", "B", ["TASK-1"])],
  parallel_groups: { A: ["TASK-1", "TASK-2"], B: ["TASK-3"] },
  execution_order: [
    { group: "A", strategy: "parallel", tasks: ["TASK-1", "TASK-2"] },
    { group: "B", strategy: "sequential", tasks: ["TASK-3"] },
  ],
  strategy: "mixed",
};
const ONE_TASK = {
  ...GRAPH,
  tasks: [createTask("TASK-1", "A")],
  parallel_groups: { A: ["TASK-1"] },
  execution_order: [{ group: "A", strategy: "sequential", tasks: ["TASK-1"] }],
};
/** One task, reviewed because it must be tried at run time. */
const REVIEWED = { ...ONE_TASK, tasks: [{ ...createTask("TASK-1", "A"), tool_mandates: ["use Playwright"] }] };

const planWith =
  (graph: object) =>
  ({ input }: AttemptRequest): Play => {
    // The planner's dispatch contains its iteration.
    const { iteration } = input as { iteration: number };
    const folder = `prompts/ABC-12/iteration_${iteration}`;
    const files = {
      [`${folder}/plan.md`]: "# Plan\n\nAdd three modules.\n",
      [`${folder}/tasks.yaml`]: stringify(graph),
    };
    return { contract: { status: "DONE" }, files };
  };

const answers: Readonly<Record<string, (request: AttemptRequest) => Play>> = {
  Initializer: () => ({
    contract: { status: "DONE" },
    files: {
      "docs/ARCHITECTURE.md": "# Architecture\n",
      "docs/CODE_STYLE.md": "# Style\n",
      "docs/FINDINGS.md": "# Findings\n",
    },
  }),
  Planner: planWith(GRAPH),
  Developer: ({ task }) => ({ contract: { status: "DONE" }, files: { [`src/${task}.ts`]: "export {};\n" } }),
  Reviewer: () => ({ contract: { status: "ACCEPTED", criteria: [{ criterion: "it builds", met: true }] } }),
};

const createScenario = (name: string, parts: typeof answers, expect: Scenario["expect"]): Scenario => {
  const pipeline = anyInput(ticket);
  const play = cast({ ...answers, ...parts });
  return {
    name: `ticket: ${name}`,
    pipeline,
    input: { request: "ABC-12: Add three small modules to the greeter.", documents: "write", kind: "chore" },
    approvals: "autonomous",
    commands: COMMANDS,
    perform: paperWorld({ pipeline, base: {}, commands: COMMANDS, tests: THREE_TESTS, play }),
    answer: takeFirst,
    expect,
  };
};

const GROUPS = {
  "output of Planner": true,
  plan: true,
  "files of group A": true,
  "group A": true,
  "files TASK-3": true,
  "build TASK-3": true,
  "task TASK-3": true,
  tasks: true,
};

export const ticketScenarios: readonly Scenario[] = [
  createScenario(
    "two groups are built, reviewed and committed",
    {},
    {
      status: "done",
      exit: 0,
      gates: { ...GROUPS, iteration: true, "docs refresh": true },
      commits: 1,
    },
  ),
  createScenario(
    "the fifth rejection stops the run",
    {
      Planner: planWith(REVIEWED),
      Reviewer: ({ input }) => {
        // Task reviews and the iteration's review differ by mode.
        const { mode } = input as { mode: string };
        return {
          contract: {
            status: mode === "task-review" ? "ACCEPTED" : "REJECTED",
            summary: "the greeting is missing",
            criteria: [{ criterion: "it greets", met: mode === "task-review" }],
          },
        };
      },
    },
    {
      status: "error",
      exit: 5,
      reason: "MAXIMUM ITERATIONS REACHED (5/5). STOPPING.",
      gates: {
        "output of Planner": true,
        plan: true,
        "files TASK-1": true,
        "build TASK-1": true,
        "task TASK-1": true,
        tasks: true,
        iteration: false,
      },
      commits: 0,
    },
  ),
  createScenario(
    "a single small task needs no reviewer",
    { Planner: planWith(ONE_TASK), Reviewer: () => ({ failure: { code: "nobody_asked" } }) },
    {
      status: "done",
      exit: 0,
      gates: {
        "output of Planner": true,
        plan: true,
        "files TASK-1": true,
        "build TASK-1": true,
        iteration: true,
        "docs refresh": true,
      },
      commits: 1,
    },
  ),
];
