import { task } from "../../../src/pipelines/task/index.ts";
import { paperWorld, RED } from "./paper-world.ts";
import { anyInput, COMMANDS, cast, type Scenario, takeFirst } from "./scenario.ts";

const development = { status: "done", kind: "other", subject: "Greet by name", body: "It was asked for." };

type Answers = Parameters<typeof cast>[0];

const answers: Answers = {
  developer: () => ({ contract: development, files: { "src/greet.ts": "export {};\n" } }),
  reviewer: () => ({ contract: { verdict: "approve", findings: [] } }),
};

const createScenario = (name: string, input: object, parts: Answers, expect: Scenario["expect"]): Scenario => {
  const pipeline = anyInput(task);
  return {
    name: `task: ${name}`,
    pipeline,
    input: { request: "Greet people by their name.", ...input },
    approvals: "autonomous",
    commands: COMMANDS,
    perform: paperWorld({ pipeline, base: {}, commands: COMMANDS, play: cast({ ...answers, ...parts }) }),
    answer: takeFirst,
    expect,
  };
};

export const taskScenarios: readonly Scenario[] = [
  createScenario(
    "one agent's work is checked and committed",
    {},
    {},
    {
      status: "done",
      exit: 0,
      gates: { work: true },
      commits: 1,
    },
  ),
  createScenario(
    "work that breaks a check is sent back, then reviewed and committed",
    { review: true },
    {
      developer: ({ round }) => ({
        contract: development,
        files: { "src/greet.ts": round === 1 ? `${RED}\n` : "export {};\n" },
      }),
    },
    { status: "done", exit: 0, gates: { work: true, review: true }, commits: 1 },
  ),
  createScenario(
    "a fix without a red test goes back once, then a person lets it pass",
    { kind: "fix" },
    {
      developer: ({ round }) => ({
        contract: development,
        files: { "src/greet.ts": `export const round = ${round};\n` },
      }),
    },
    { status: "done", exit: 0, gates: { work: true, "red test": false }, commits: 1 },
  ),
  createScenario(
    "work that stays red ends without a commit",
    {},
    { developer: () => ({ contract: development, files: { "src/greet.ts": `${RED}\n` } }) },
    { status: "error", exit: 5, reason: "not finished after 3 rounds", gates: { work: false }, commits: 0 },
  ),
];
