import type { AttemptRequest } from "../../../src/core/journal/effect.ts";
import { clusters } from "../../../src/pipelines/clusters/index.ts";
import { type Files, type Play, paperWorld } from "./paper-world.ts";
import { anyInput, COMMANDS, type Scenario, takeFirst } from "./scenario.ts";

const FOLDER = "docs/feature/greet-people-by-name";
const DONE = { line: "DONE", message: "as asked" };

const renderTaskFile = (id: string, dependsOn: readonly string[] = []): Files => ({
  [`${FOLDER}/tasks/${id}.md`]: `---\nid: ${id}\nfiles: [src/${id}.ts]\ndepends_on: [${dependsOn.join(", ")}]\n---\n\n# ${id}\n`,
});

/** Writes the files that a dispatch names as its outputs, each with a short text. */
function createOutputs({ input }: AttemptRequest): Files {
  // Every dispatch of this pipeline lists its outputs.
  const { outputs } = input as { outputs: readonly string[] };
  const plain = outputs.filter((path) => !path.includes("*"));
  return Object.fromEntries(plain.map((path) => [path, `# ${path}\n\n## Memory\n\n- it was written\n`]));
}

function play(request: AttemptRequest): Play {
  const { mode } = request.input as { mode?: string };
  if (request.role === "implementer") {
    return {
      contract: { ...DONE, message: "red test → fixed import" },
      files: { [`src/${request.task}.ts`]: "export {};\n" },
    };
  }
  if (request.role !== "planner") return { contract: DONE, files: createOutputs(request) };
  const tasks =
    mode === "replan"
      ? renderTaskFile("03-repair")
      : { ...renderTaskFile("01-greet"), ...renderTaskFile("02-shout", ["01-greet"]) };
  return { contract: DONE, files: { ...createOutputs(request), ...tasks } };
}

const createScenario = (
  name: string,
  plays: (request: AttemptRequest) => Play,
  expect: Scenario["expect"],
): Scenario => {
  const pipeline = anyInput(clusters);
  return {
    name: `clusters: ${name}`,
    pipeline,
    input: { request: "Greet people by name" },
    approvals: "autonomous",
    commands: COMMANDS,
    perform: paperWorld({ pipeline, base: { "README.md": "# Greeting\n" }, commands: COMMANDS, play: plays }),
    answer: takeFirst,
    expect,
  };
};

export const clustersScenarios: readonly Scenario[] = [
  createScenario("every cluster is content", play, {
    status: "done",
    exit: 0,
    gates: { CT: true, plan: true, V: true, R: true, complete: true },
    commits: 1,
  }),
  createScenario(
    "a critical security finding survives the one replan and ends the run",
    (request) => {
      const played = play(request);
      if (request.role !== "r-security" || "failure" in played) return played;
      const path = `${FOLDER}/review/r-security.md`;
      return { ...played, files: { [path]: "- [Critical] the name is evaluated as code (src/01-greet.ts)\n" } };
    },
    {
      status: "error",
      exit: 1,
      reason: "security: the name is evaluated as code",
      gates: { CT: true, plan: true, V: true, R: false, complete: false },
      commits: 0,
    },
  ),
];
