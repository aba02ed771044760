import { Plan, RISK_CATEGORIES } from "./plan.ts";

const CLASSIFIED: readonly unknown[] = ["NEEDS_REVISION", "FAILED", "REJECTED", "NEEDS_INPUT"];

/** A reply as an agent would send it: the fields of every reply, and the given ones. */
export const said = <Fields extends { readonly status: string }>(agent: string, fields: Fields) => ({
  agent,
  confidence: 0.95,
  abstain: { is_abstaining: fields.status === "ABSTAIN", reasons: [] },
  ...(CLASSIFIED.includes(fields.status) && { failure_classification: "fixable" }),
  ...fields,
});

/** A phase as a planner would send it. */
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
  quality_gates: ["tests_pass"],
  ...more,
});

export const risk = (more: object = {}) => ({
  applicability: "not_applicable",
  impact: "LOW",
  disposition: "not_applicable",
  ...more,
});

/** A risk review without open risks, except those given by category. */
export const risks = (open: Readonly<Record<string, object>> = {}) =>
  RISK_CATEGORIES.map((category) => ({ category, ...risk(open[category]) }));

/** A risk review with an open HIGH risk in the given category. */
export const high = (more: object = {}, category = "performance") => ({
  risk_review: risks({
    [category]: { applicability: "applicable", impact: "HIGH", disposition: "open_question", ...more },
  }),
});

export const DESIGN = {
  choices: ["one module per part"],
  boundaries: ["parts know nothing of each other"],
  flow: ["the caller hands a part its input"],
  trade_offs: ["more files, fewer conflicts"],
};

/** A plan that every rule accepts, as a planner would send it. */
export const planned = (more: object = {}) =>
  said("Planner", {
    status: "READY_FOR_EXECUTION",
    task_title: "Add parts",
    summary: "Adds a few parts.",
    phases: [phase(1), phase(2)],
    design_decisions: DESIGN,
    risk_review: risks(),
    complexity_tier: "SMALL",
    ...more,
  });

/** The same plan, parsed. */
export const plan = (more: object = {}): Plan => Plan.parse(planned(more));
