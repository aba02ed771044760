import { z } from "zod";
import { Announcement } from "../../core/announcement.ts";
import { FAILURE_CLASSES, replyOf } from "./reply.ts";

export const TIERS = ["TRIVIAL", "SMALL", "MEDIUM", "LARGE"] as const;
export type Tier = (typeof TIERS)[number];

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

const QUALITY_GATES = [
  "tests_pass",
  "lint_clean",
  "schema_valid",
  "safety_clear",
  "human_approved_if_required",
] as const;
const MOST_SKILLS = 3;

export const Phase = z.object({
  phase_id: z.number().int().min(1),
  title: z.string().min(1),
  objective: z.string(),
  wave: z.number().int().min(1),
  /** Missing is a matter for the plan gate, which sends it back by name; nobody guesses one. */
  executor_agent: z.string().optional(),
  files: z.array(
    z.object({
      path: z.string().refine(isFile, { error: "one file inside the repository, written one way: src/a.ts" }),
      action: z.enum(["create", "modify", "review", "reference"]),
      reason: z.string().default(""),
    }),
  ),
  tests: z.array(z.string()).default([]),
  steps: z.array(z.string()).min(1),
  acceptance_criteria: z.array(z.string()).min(1),
  quality_gates: z.array(z.enum(QUALITY_GATES)).min(1),
  dependencies: z.array(z.number().int()).default([]),
  failure_expectations: z
    .array(z.object({ scenario: z.string(), classification: z.enum(FAILURE_CLASSES), mitigation: z.string() }))
    .optional(),
  skill_references: z.array(z.string()).max(MOST_SKILLS).optional(),
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
export type RiskCategory = (typeof RISK_CATEGORIES)[number];

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

/** What one phase delivers to another. */
const PhaseContract = z.object({
  from_phase: z.number().int(),
  to_phase: z.number().int(),
  interface: z.string(),
  format: z.string().default(""),
});

const Diagram = z.object({
  type: z.enum(["flowchart", "sequenceDiagram", "stateDiagram-v2"]),
  title: z.string(),
  mermaid_source: z.string(),
});

/** One sentence is a list of one. */
const texts = z.preprocess(
  (said) => (typeof said === "string" ? [said] : said),
  z.array(z.string().min(1)).default([]),
);
/** The design gate asks for all four by name. */
const DesignDecisions = z.object({ choices: texts, boundaries: texts, flow: texts, trade_offs: texts });

export const Plan = z.object({
  ...replyOf("Planner", ["READY_FOR_EXECUTION", "ABSTAIN", "REPLAN_REQUIRED"]),
  task_title: z.string().min(3),
  summary: z.string().min(10),
  phases: z.array(Phase),
  design_decisions: DesignDecisions.prefault({}),
  open_questions: z.array(OpenQuestion).default([]),
  contracts: z.array(PhaseContract).default([]),
  risks: z.array(z.object({ risk: z.string(), mitigation: z.string() })).default([]),
  risk_review: z.array(RiskReview).default([]),
  success_criteria: z.array(z.string()).default([]),
  /** Changes of behaviour that the request asks for: approved with the plan, by whoever approves it. */
  announces: z.array(Announcement).optional(),
  complexity_tier: z.enum(TIERS),
  max_parallel_agents: z.number().int().min(1).max(10).default(10),
  iteration_budget: z.number().int().min(1).max(5).optional(),
  diagrams: z.array(Diagram).optional(),
  handoff: z.object({ target_agent: z.string(), prompt: z.string() }).optional(),
  /** The version that this one replaces; set by the engine, whatever the planner says. */
  revision_of: z.string().optional(),
});
export type Plan = z.infer<typeof Plan>;

/** A pattern would let one phase claim everything, and two spellings of one file would pass for two files. */
function isFile(path: string): boolean {
  const parts = path.split("/");
  return !/[*?]/.test(path) && !parts.some((part) => part === "" || part === "." || part === "..");
}
