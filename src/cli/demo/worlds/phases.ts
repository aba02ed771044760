import type { Json } from "../../../core/text/json.ts";
import type { RealWorld } from "../world.ts";

type AnswerFields = { readonly [name: string]: Json };

const toAnswer = (agent: string, fields: AnswerFields): AnswerFields => ({
  agent,
  confidence: 0.95,
  abstain: { is_abstaining: false, reasons: [] },
  ...fields,
});
const createRule = (role: string, fields: AnswerFields, more: AnswerFields = {}): Json => ({
  role,
  ...more,
  output: toAnswer(role, fields),
});

const createPhase = (id: number, wave: number, more: AnswerFields): Json => ({
  phase_id: id,
  wave,
  executor_agent: "CoreImplementer",
  quality_gates: ["tests_pass"],
  ...more,
});
const createModulePhase = (id: number, name: string): Json =>
  createPhase(id, 1, {
    title: `Make ${name}`,
    objective: `There is a module ${name}`,
    files: [{ path: `src/${name}.js`, action: "create", reason: "new" }],
    tests: [`${name} can be imported`],
    steps: ["Write the module", "Run the tests"],
    acceptance_criteria: ["the tests pass"],
  });
const GUIDE = createPhase(3, 2, {
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
const PLAN = toAnswer("Planner", {
  status: "READY_FOR_EXECUTION",
  task_title: "Greet people",
  summary: "Two modules side by side, then a guide to both.",
  phases: [createModulePhase(1, "greet"), createModulePhase(2, "wave"), GUIDE],
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

const createBuilder = (task: string, file: string): Json =>
  createRule(
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
    createRule("CodeMapper", { status: "COMPLETE", answer: "one folder of modules" }),
    createRule("Researcher", { status: "COMPLETE", scope_in: ["src"], scope_out: ["README.md"] }),
    { role: "Planner", output: PLAN },
    createRule(
      "PlanAuditor",
      {
        status: "NEEDS_REVISION",
        failure_classification: "fixable",
        scoring: { percentage: 70 },
        findings: [{ severity: "MAJOR", description: "the guide comes too early" }],
      },
      { round: 1 },
    ),
    createRule("PlanAuditor", { status: "APPROVED", scoring: { percentage: 90 } }),
    createRule("AssumptionVerifier", { status: "COMPLETE", scoring: { percentage: 90 } }),
    createRule("ExecutabilityVerifier", {
      status: "PASS",
      tasks_simulated: [{ task_id: "1", task_verdict: "EXECUTABLE" }],
    }),
    createBuilder("phase-1", "src/greet.js"),
    createBuilder("phase-2", "src/wave.js"),
    createRule(
      "TechnicalWriter",
      { status: "COMPLETE", docs_created: [{ path: "docs/guide.md", title: "Guide" }], summary: "Wrote the guide." },
      { do: [{ write: { path: "docs/guide.md", content: "# Guide\n\nGreet or wave.\n" } }] },
    ),
    createRule("CodeReviewer", { status: "APPROVED" }),
  ],
  ends: { status: "done", exit: 0, commits: 1 },
  keeps: ["src/old.js", "src/greet.js", "src/wave.js", "docs/guide.md", "plans/greet-people-plan.md"],
};
