import type { Json } from "../../../core/text/json.ts";
import type { RealWorld } from "../world.ts";

const AT = "prompts/ABC-12/iteration_0";

const createTask = (id: string, group: string, depends_on: readonly string[] = []) => ({
  id,
  description: `Build ${id}`,
  files_to_modify: [`src/${id}.js`],
  success_criteria: ["the module is there"],
  parallel_group: group,
  depends_on,
  status: "PENDING",
});

/** JSON is valid YAML. */
const TASKS = JSON.stringify({
  validation_policy: {},
  tasks: [createTask("greet", "A"), createTask("wave", "A"), createTask("shout", "B", ["greet"])],
  parallel_groups: { A: ["greet", "wave"], B: ["shout"] },
  execution_order: [
    { group: "A", strategy: "parallel", tasks: ["greet", "wave"] },
    { group: "B", strategy: "sequential", tasks: ["shout"] },
  ],
  strategy: "two side by side, then one",
});

const toWrites = (files: Readonly<Record<string, string>>): Json[] =>
  Object.entries(files).map(([path, content]) => ({ write: { path, content } }));

const DOCS = {
  "docs/ARCHITECTURE.md": "# Parts\n",
  "docs/CODE_STYLE.md": "# Style\n",
  "docs/FINDINGS.md": "# Found\n",
};

/** Two parallel tasks, then one with its own review; documents beside the plan and before the commit. */
export const world: RealWorld = {
  pipeline: "ticket",
  args: ["ABC-12: Add three small modules to the greeter.", "--input", "documents=write"],
  files: { "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" },
  config: "commands:\n  build: test -f README.md\n  test: test -d src\n",
  agents: [
    { role: "Initializer", do: toWrites(DOCS), output: { status: "DONE" } },
    {
      role: "Planner",
      do: toWrites({ [`${AT}/plan.md`]: "# Plan\n\nThree modules.\n", [`${AT}/tasks.yaml`]: TASKS }),
      output: { status: "DONE" },
    },
    {
      role: "Developer",
      do: [{ run: 'mkdir -p src; echo "export const it = 1;" > src/$SIGNALBOX_TASK.js' }],
      output: { status: "DONE" },
    },
    { role: "Reviewer", output: { status: "ACCEPTED", criteria: [{ criterion: "each module is there", met: true }] } },
  ],
  ends: { status: "done", exit: 0, commits: 1 },
  keeps: ["src/old.js", "src/greet.js", "src/wave.js", "src/shout.js", "docs/FINDINGS.md", ".gitignore"],
};
