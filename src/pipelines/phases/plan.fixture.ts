import { Plan, RISK_CATEGORIES } from "./contracts.ts";

/** One phase of a plan as a planner would send it. */
export const phase = (id: number, more: object = {}) => ({
  phase_id: id,
  title: `Part ${id}`,
  objective: "o",
  wave: id,
  executor_agent: "CoreImplementer-subagent",
  files: [{ path: `src/${id}.ts`, action: "modify" }],
  tests: ["t"],
  steps: ["s"],
  acceptance_criteria: ["a"],
  ...more,
});
export const risk = (more: object = {}) => ({
  applicability: "not_applicable",
  impact: "LOW",
  disposition: "not_applicable",
  ...more,
});
/** A plan that every rule accepts. */
export const plan = (more: object = {}): Plan =>
  Plan.parse({
    status: "READY_FOR_EXECUTION",
    confidence: 0.95,
    task_title: "Add parts",
    summary: "Adds a few parts.",
    phases: [phase(1), phase(2)],
    design_decisions: ["d"],
    risk_review: RISK_CATEGORIES.map((category) => ({ category, ...risk() })),
    complexity_tier: "SMALL",
    ...more,
  });
/** Its risk review with one open HIGH risk. */
export const high = (more: object = {}) => ({
  risk_review: [
    {
      category: "performance",
      ...risk({ applicability: "applicable", impact: "HIGH", disposition: "open_question", ...more }),
    },
  ],
});
