import { Plan, RISK_CATEGORIES } from "./plan.ts";

const CLASSIFIED: readonly unknown[] = ["NEEDS_REVISION", "FAILED", "REJECTED", "NEEDS_INPUT"];

/** A reply as an agent would send it: the fields of every reply, and the given ones. */
export const createReply = <Fields extends { readonly status: string }>(agent: string, fields: Fields) => ({
  agent,
  confidence: 0.95,
  abstain: { is_abstaining: fields.status === "ABSTAIN", reasons: [] },
  ...(CLASSIFIED.includes(fields.status) && { failure_classification: "fixable" }),
  ...fields,
});

/** A phase as a planner would send it. */
export const createPhase = (id: number, more: object = {}) => ({
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

export const createRisk = (more: object = {}) => ({
  applicability: "not_applicable",
  impact: "LOW",
  disposition: "not_applicable",
  ...more,
});

/** A risk review without open risks, except those given by category. */
export const createRiskReview = (open: Readonly<Record<string, object>> = {}) =>
  RISK_CATEGORIES.map((category) => ({ category, ...createRisk(open[category]) }));

/** A risk review with an open HIGH risk in the given category. */
export const createHighRisk = (more: object = {}, category = "performance") => ({
  risk_review: createRiskReview({
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
export const createProposal = (more: object = {}) =>
  createReply("Planner", {
    status: "READY_FOR_EXECUTION",
    task_title: "Add parts",
    summary: "Adds a few parts.",
    phases: [createPhase(1), createPhase(2)],
    design_decisions: DESIGN,
    risk_review: createRiskReview(),
    complexity_tier: "SMALL",
    ...more,
  });

/** The same plan, parsed. */
export const createPlan = (more: object = {}): Plan => Plan.parse(createProposal(more));
