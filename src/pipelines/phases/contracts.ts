import { z } from "zod";

export const TIERS = ["TRIVIAL", "SMALL", "MEDIUM", "LARGE"] as const;
export type Tier = (typeof TIERS)[number];
export const FAILURE_CLASSES = ["transient", "fixable", "needs_replan", "escalate", "model_unavailable"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

const confidence = z.number().min(0).max(1);
const common = {
  confidence: confidence.default(1),
  abstain: z.object({ is_abstaining: z.boolean(), reasons: z.array(z.string()) }).optional(),
  failure_classification: z.enum(FAILURE_CLASSES).optional(),
};

export const Discovery = z.object({
  ...common,
  status: z.enum(["COMPLETE", "ABSTAIN"]),
  files: z.array(z.object({ path: z.string(), relevance: z.string() })).default([]),
  answer: z.string().default(""),
});

export const Findings = z.object({
  ...common,
  status: z.enum(["COMPLETE", "ABSTAIN", "INSUFFICIENT_EVIDENCE"]),
  scope_in: z.array(z.string()).min(1),
  scope_out: z.array(z.string()).min(1),
  key_findings: z.array(z.object({ fact: z.string(), evidence: z.array(z.json()).min(1) })).default([]),
});

/** What a person confirms in every mode, wherever a plan declares or names it. */
export const APPROVAL_ACTIONS = [
  "destructive_file_delete",
  "bulk_contract_rewrite",
  "git_force_push",
  "git_reset_hard",
  "drop_table",
  "rm_rf",
  "amend_published_commit",
  "merge_to_protected_branch",
  "push_to_shared_infrastructure",
] as const;
export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number];

export const Phase = z.object({
  phase_id: z.number().int().min(1),
  title: z.string().min(1),
  objective: z.string(),
  wave: z.number().int().min(1),
  executor_agent: z.string().optional(),
  files: z.array(
    z.object({
      path: z.string(),
      action: z.enum(["create", "modify", "review", "reference"]),
      reason: z.string().default(""),
    }),
  ),
  tests: z.array(z.string()).default([]),
  steps: z.array(z.string()).min(1),
  acceptance_criteria: z.array(z.string()).min(1),
  quality_gates: z.array(z.string()).default([]),
  dependencies: z.array(z.number().int()).default([]),
  /** Deletes, overwrites or leaves the repository: a person says yes first, in every mode. */
  destructive: z.boolean().default(false),
  /** Reaches what others use: its wave is approved phase by phase. */
  production: z.boolean().default(false),
  approval_actions: z.array(z.enum(APPROVAL_ACTIONS)).default([]),
});
export type Phase = z.infer<typeof Phase>;

export const RISK_CATEGORIES = [
  "data_volume",
  "performance",
  "concurrency",
  "access_control",
  "migration_rollback",
  "dependency",
  "operability",
] as const;

const RiskReview = z.object({
  category: z.enum(RISK_CATEGORIES),
  applicability: z.enum(["applicable", "not_applicable", "uncertain"]),
  impact: z.enum(["HIGH", "MEDIUM", "LOW", "UNKNOWN"]),
  disposition: z.enum(["resolved", "open_question", "research_phase_added", "not_applicable"]),
  evidence_source: z.string().default(""),
});

/** Questions of the first five classes are asked before the phase that they concern; the last is for the record. */
export const QUESTION_CLASSES = [
  "scope_ambiguity",
  "architecture_fork",
  "user_preference",
  "destructive_risk",
  "repository_structure",
  "answerable",
] as const;

const OpenQuestion = z.object({
  question: z.string().min(1),
  options: z.array(z.string()).default([]),
  recommendation: z.string().min(1),
  /** A question that does not say what it is about is asked, to be sure. */
  class: z.enum(QUESTION_CLASSES).default("scope_ambiguity"),
  /** The phase that it concerns; without it, the first. */
  phase_id: z.number().int().min(1).optional(),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

export const Plan = z.object({
  ...common,
  status: z.enum(["READY_FOR_EXECUTION", "ABSTAIN", "REPLAN_REQUIRED"]),
  task_title: z.string().min(3),
  summary: z.string().min(10),
  phases: z.array(Phase),
  design_decisions: z.array(z.string()).default([]),
  open_questions: z.array(OpenQuestion).default([]),
  /** What one phase delivers to another. */
  contracts: z
    .array(
      z.object({
        from_phase: z.number().int(),
        to_phase: z.number().int(),
        interface: z.string(),
        format: z.string().default(""),
      }),
    )
    .default([]),
  risk_review: z.array(RiskReview).default([]),
  success_criteria: z.array(z.string()).default([]),
  complexity_tier: z.enum(TIERS),
  max_parallel_agents: z.number().int().min(1).max(10).default(10),
  revision_of: z.string().optional(),
});
export type Plan = z.infer<typeof Plan>;

const Issue = z.object({
  severity: z.enum(["CRITICAL", "MAJOR", "MINOR"]),
  description: z.string().min(1),
  file: z.string().optional(),
  line: z.number().int().optional(),
  validation_status: z.enum(["confirmed", "rejected", "unvalidated"]).optional(),
});

export const Audit = z.object({
  ...common,
  status: z.enum(["APPROVED", "NEEDS_REVISION", "REJECTED", "ABSTAIN"]),
  findings: z
    .array(Issue.extend({ id: z.string().optional(), regression_iteration: z.number().int().optional() }))
    .default([]),
  verified_items: z.array(z.string()).default([]),
  score: z.number().min(0).max(100).default(0),
});
export type Audit = z.infer<typeof Audit>;

export const Mirages = z.object({
  ...common,
  status: z.enum(["COMPLETE", "ABSTAIN"]),
  mirage_findings: z
    .array(z.object({ severity: z.enum(["BLOCKING", "IMPORTANT", "MINOR"]), claim: z.string() }))
    .default([]),
});
export type Mirages = z.infer<typeof Mirages>;

export const Executability = z.object({
  ...common,
  status: z.enum(["PASS", "FAIL", "WARN", "ABSTAIN"]),
  findings: z.array(Issue).default([]),
});
export type Executability = z.infer<typeof Executability>;

const Option = z.object({
  id: z.string(),
  description: z.string().min(5),
  pros: z.array(z.string()).optional(),
  cons: z.array(z.string()).optional(),
  affected_files: z.array(z.string()).optional(),
});

const FactClaim = z.object({
  subject: z.string().optional(),
  fact: z.string().optional(),
  citations: z.array(z.string()).optional(),
  reason: z.string().optional(),
  category: z.string().optional(),
});
export type FactClaim = z.infer<typeof FactClaim>;

export const Report = z.object({
  ...common,
  status: z.enum(["COMPLETE", "NEEDS_INPUT", "FAILED", "ABSTAIN", "INSUFFICIENT_EVIDENCE"]),
  changes: z
    .array(
      z.object({
        file: z.string(),
        action: z.enum(["create", "modify", "delete"]).optional(),
        summary: z.string().default(""),
      }),
    )
    .default([]),
  ui_changes: z
    .array(z.object({ file: z.string(), component: z.string().default(""), summary: z.string().default("") }))
    .default([]),
  docs_created: z.array(z.object({ path: z.string(), title: z.string().default("") })).default([]),
  docs_updated: z.array(z.object({ path: z.string(), changes: z.string().default("") })).default([]),
  /** Planned files that were left alone, and why. */
  not_changed: z.array(z.object({ file: z.string(), reason: z.string().min(1) })).default([]),
  summary: z.string().default(""),
  /** What later runs should know; promoted only when complete. */
  facts: z.array(FactClaim).default([]),
  clarification_request: z
    .object({
      options: z.array(Option).min(2).max(3),
      impact_analysis: z.string().min(10),
      recommended_option: z.string(),
      recommended_option_rationale: z.string().min(10),
    })
    .optional(),
});
export type Report = z.infer<typeof Report>;

export const Verdict = z.object({
  ...common,
  status: z.enum(["APPROVED", "NEEDS_REVISION", "FAILED", "ABSTAIN"]),
  issues: z.array(Issue).default([]),
  validated_blocking_issues: z
    .array(Issue.extend({ severity: z.enum(["CRITICAL", "MAJOR"]), file: z.string() }))
    .default([]),
});
export type Verdict = z.infer<typeof Verdict>;
