import type { AttemptRequest } from "../../../src/core/journal/effect.ts";
import { ledger } from "../../../src/pipelines/ledger/index.ts";
import { type Play, paperWorld, RED } from "./paper-world.ts";
import { anyInput, COMMANDS, cast, type Scenario, takeFirst } from "./scenario.ts";

const approve = { security: "approve", architecture: "approve", correctness: "approve" } as const;
const createTask = (id: string, more: object = {}) => ({ id, title: `Task ${id}`, files: [`src/${id}.ts`], ...more });

const answers: Readonly<Record<string, (request: AttemptRequest) => Play>> = {
  evaluator: () => ({ contract: { concerns: [] } }),
  researcher: ({ instance }) => ({
    contract: { findings: [{ id: "F-1", title: instance, detail: "one module", evidence: ["src/a.ts:1"] }] },
  }),
  spec: () => ({
    contract: {
      feature_name: "Greeting",
      functional_requirements: [{ id: "FR-1", text: "greets by name" }],
      acceptance_criteria: [{ id: "AC-1", text: "a name is greeted" }],
    },
  }),
  designer: () => ({ contract: { architecture: "one function", decisions: [{ id: "D-1", title: "no state" }] } }),
  reviewer: () => ({ contract: { verdicts: approve } }),
  planner: () => ({ contract: { tasks: [createTask("greet"), createTask("shout", { depends_on: ["greet"] })] } }),
  implementer: ({ task }) => ({
    contract: { summary: `built ${task}` },
    files: { [`src/${task}.ts`]: `export const ${task} = 1;\n` },
  }),
  verifier: () => ({ contract: { status: "DONE" } }),
  knowledge: () => ({ contract: { decision_log_entries: [] } }),
};

type Answers = typeof answers;
const createScenario = (name: string, parts: Answers, expect: Scenario["expect"]): Scenario => {
  const pipeline = anyInput(ledger);
  const play = cast({ ...answers, ...parts });
  return {
    name: `ledger: ${name}`,
    pipeline,
    input: { request: "Greet people by name" },
    approvals: "autonomous",
    commands: COMMANDS,
    perform: paperWorld({ pipeline, base: { "README.md": "# Greeting\n" }, commands: COMMANDS, play }),
    answer: takeFirst,
    expect,
  };
};

const VERIFIED = { request: true, "design review": true, "verified greet": true, "verified shout": true };

export const ledgerScenarios: readonly Scenario[] = [
  createScenario(
    "everything passes and is committed",
    {},
    {
      status: "done",
      exit: 0,
      gates: { ...VERIFIED, integrated: true, "code review": true, "self-check": true },
      commits: 1,
    },
  ),
  createScenario(
    "a blocker in code review ends the run",
    {
      reviewer: ({ phase, instance }) => {
        const blocks = phase === "7 Code review" && instance === "security-sentinel";
        return { contract: { verdicts: { ...approve, ...(blocks && { security: "blocker" }) } } };
      },
    },
    {
      status: "error",
      exit: 1,
      reason: "code review blocked in round 1",
      gates: { ...VERIFIED, integrated: true, "code review": false, "self-check": false },
      commits: 0,
    },
  ),
  createScenario(
    "a task that stays red ends with low confidence and no commit",
    {
      implementer: ({ task }) => ({
        contract: {},
        files: { [`src/${task}.ts`]: task === "shout" ? RED : `export const ${task} = 1;\n` },
      }),
    },
    {
      status: "done",
      exit: 7,
      reason: "confidence is low",
      gates: { ...VERIFIED, "verified shout": false, integrated: false, "code review": true, "self-check": false },
      commits: 0,
    },
  ),
];
