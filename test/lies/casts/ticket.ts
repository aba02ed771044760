import { actionsOf, announcedAs, changeOf, type MakeCast, type Plot, plannedOf } from "./cast.ts";

const AT = "prompts/ABC-12/iteration_0";
const DOCS = ["ARCHITECTURE", "CODE_STYLE", "FINDINGS"].map((name) => ({
  write: { path: `docs/${name}.md`, content: `# ${name}\n` },
}));

function tasksOf(plot: Plot): string {
  const files = plannedOf(plot.work);
  return JSON.stringify({
    validation_policy: {},
    tasks: [
      {
        id: "work",
        description: "Build it",
        files_to_modify: files.filter((path) => !isTest(path)),
        test_files: files.filter(isTest),
        success_criteria: ["it does what was asked for", ...plot.told.map((name) => `changes: ${name}`)],
        parallel_group: "A",
        depends_on: [],
        status: "PENDING",
      },
    ],
    parallel_groups: { A: ["work"] },
    execution_order: [{ group: "A", strategy: "sequential", tasks: ["work"] }],
    strategy: "one task",
    ...announcedAs("announces", plot),
  });
}

const isTest = (path: string): boolean => /(^|\/)tests?\//.test(path);

export const ticket: MakeCast = (plot) => ({
  args: [`ABC-12: ${plot.request}`],
  files: {},
  worker: "Developer",
  agents: [
    {
      role: "Interpreter",
      output: {
        status: "DONE",
        type: "feature",
        slug: "work_as_asked",
        refined_prompt: plot.request,
        success_criteria: ["it does what was asked for"],
      },
    },
    { role: "Initializer", do: DOCS, output: { status: "DONE" } },
    {
      role: "Planner",
      do: [
        { write: { path: `${AT}/plan.md`, content: "# Plan\n\nOne task.\n" } },
        { write: { path: `${AT}/tasks.yaml`, content: tasksOf(plot) } },
      ],
      output: { status: "DONE" },
    },
    { role: "Developer", do: actionsOf(changeOf(plot.work), plot.work.run), output: { status: "DONE" } },
    { role: "Reviewer", output: { status: "ACCEPTED", summary: "all criteria are met", criteria: [] } },
  ],
});
