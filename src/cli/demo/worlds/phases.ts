import type { Json } from "../../../core/text/json.ts";
import type { RealWorld } from "../world.ts";

type Fields = { readonly [name: string]: Json };

const said = (agent: string, fields: Fields): Fields => ({
  agent,
  confidence: 0.95,
  abstain: { is_abstaining: false, reasons: [] },
  ...fields,
});
const says = (role: string, fields: Fields, more: Fields = {}): Json => ({ role, ...more, output: said(role, fields) });

const phase = (id: number, wave: number, more: Fields): Json => ({
  phase_id: id,
  wave,
  executor_agent: "CoreImplementer",
  quality_gates: ["tests_pass"],
  ...more,
});
const module = (id: number, name: string): Json =>
  phase(id, 1, {
    title: `Make ${name}`,
    objective: `There is a module ${name}`,
    files: [{ path: `src/${name}.js`, action: "create", reason: "new" }],
    tests: [`${name} can be imported`],
    steps: ["Write the module", "Run the tests"],
    acceptance_criteria: ["the tests pass"],
  });
const GUIDE = phase(3, 2, {
  title: "Write the guide",
  objective: "People can read how to greet",
  executor_agent: "TechnicalWriter",
  files: [{ path: "docs/guide.md", action: "create", reason: "new" }],
  tests: [],
  steps: ["Describe both modules"],
  acceptance_criteria: ["both modules are described"],
  dependencies: [1, 2],
});

const RISKS = ["data_volume", "performance", "concurrency", "access_control", "migration_rollback", "dependency"];
const PLAN = said("Planner", {
  status: "READY_FOR_EXECUTION",
  task_title: "Greet people",
  summary: "Two modules side by side, then a guide to both.",
  phases: [module(1, "greet"), module(2, "wave"), GUIDE],
  design_decisions: {
    choices: ["one module per gesture"],
    boundaries: ["gestures know nothing of each other"],
    flow: ["whoever greets imports a gesture"],
    trade_offs: ["two small files instead of one"],
  },
  risk_review: [...RISKS, "operability"].map((category) => ({
    category,
    applicability: "not_applicable",
    impact: "LOW",
    disposition: "not_applicable",
  })),
  complexity_tier: "LARGE",
});

const builds = (task: string, file: string): Json =>
  says(
    "CoreImplementer",
    { status: "COMPLETE", changes: [{ file, action: "create", summary: "one module" }], summary: "Made the module." },
    { task, do: [{ write: { path: file, content: "export const it = 1;\n" } }] },
  );

/** A plan that is revised once, two parallel phases and a guide, a final review, one commit. */
export const world: RealWorld = {
  pipeline: "phases",
  args: ["Greet people"],
  files: { "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" },
  config: "commands:\n  build: test -f README.md\n  test: test -d src\n",
  agents: [
    says("CodeMapper", { status: "COMPLETE", answer: "one folder of modules" }),
    says("Researcher", { status: "COMPLETE", scope_in: ["src"], scope_out: ["README.md"] }),
    { role: "Planner", output: PLAN },
    says(
      "PlanAuditor",
      {
        status: "NEEDS_REVISION",
        failure_classification: "fixable",
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
