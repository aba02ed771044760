import type { Json } from "../../../core/json.ts";
import { phase, planned, said } from "../../../pipelines/phases/plan.fixture.ts";
import type { RealWorld } from "../world.ts";

const built = (id: number, file: string) =>
  phase(id, {
    wave: 1,
    title: `Make ${file}`,
    objective: `There is a module ${file}`,
    files: [{ path: `src/${file}.js`, action: "create", reason: "new" }],
    tests: [`${file} can be imported`],
    steps: ["Write the module", "Run the tests"],
    acceptance_criteria: ["the tests pass"],
  });

const guide = phase(3, {
  wave: 2,
  title: "Write the guide",
  objective: "People can read how to greet",
  executor_agent: "TechnicalWriter-subagent",
  files: [{ path: "docs/guide.md", action: "create", reason: "new" }],
  tests: [],
  steps: ["Describe both modules"],
  acceptance_criteria: ["both modules are described"],
  dependencies: [1, 2],
});

const PLAN = planned({
  task_title: "Greet people",
  summary: "Two modules side by side, then a guide to both.",
  phases: [built(1, "greet"), built(2, "wave"), guide],
  complexity_tier: "LARGE",
});

type Fields = { readonly status: string } & { readonly [name: string]: Json };
const says = (role: string, fields: Fields, more: { readonly [name: string]: Json } = {}): Json => ({
  role,
  ...more,
  output: said(role, fields),
});
const builds = (task: string, file: string): Json =>
  says(
    "CoreImplementer",
    { status: "COMPLETE", changes: [{ file, action: "create", summary: "one module" }], summary: "Made the module." },
    { task, do: [{ write: { path: file, content: "export const it = 1;\n" } }] },
  );

/** A plan that is sent back once, two phases side by side and a guide, a final review, one commit. */
export const world: RealWorld = {
  pipeline: "phases",
  args: ["Greet people"],
  files: { "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" },
  config: "commands:\n  build: test -f README.md\n  test: test -d src\n",
  agents: [
    says("CodeMapper", { status: "COMPLETE", answer: "one folder of modules" }),
    says("Researcher", { status: "COMPLETE", scope_in: ["src"], scope_out: ["README.md"] }),
    // The plan is JSON; the fixture types it as what a planner may send.
    { role: "Planner", output: PLAN as unknown as Json },
    says(
      "PlanAuditor",
      {
        status: "NEEDS_REVISION",
        scoring: { percentage: 70 },
        findings: [{ severity: "MAJOR", description: "the guide comes too early" }],
      },
      { round: 1 },
    ),
    says("PlanAuditor", { status: "APPROVED", scoring: { percentage: 90 } }),
    says("AssumptionVerifier", { status: "COMPLETE", scoring: { percentage: 90 } }),
    says("ExecutabilityVerifier", {
      status: "PASS",
      tasks_simulated: [{ task_id: "1", task_verdict: "EXECUTABLE" }],
    }),
    builds("phase-1", "src/greet.js"),
    builds("phase-2", "src/wave.js"),
    says(
      "TechnicalWriter",
      { status: "COMPLETE", docs_created: [{ path: "docs/guide.md", title: "Guide" }], summary: "Wrote the guide." },
      { do: [{ write: { path: "docs/guide.md", content: "# Guide\n\nGreet or wave.\n" } }] },
    ),
    says("CodeReviewer", { status: "APPROVED" }),
  ],
  ends: { status: "done", exit: 0, commits: 1 },
  keeps: ["src/old.js", "src/greet.js", "src/wave.js", "docs/guide.md", "plans/greet-people-plan.md"],
};
