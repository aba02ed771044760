import { z } from "zod";
import { Announcement } from "../../../core/authoring/announcement.ts";
import { WORK_KINDS } from "../../work-kind.ts";
import { ALWAYS, createReplyFields, isOwnForm } from "../acting/reply.ts";
import { APPROVAL_ACTIONS, detectWordedActions, hasLossWording } from "./actions.ts";

export const TIERS = ["TRIVIAL", "SMALL", "MEDIUM", "LARGE"] as const;
export type Tier = (typeof TIERS)[number];

const QUALITY_GATES = [
  "tests_pass",
  "lint_clean",
  "schema_valid",
  "safety_clear",
  "human_approved_if_required",
] as const;
const MOST_SKILLS = 3;

/** A field that the form always requires. If it is missing, the plan gate refuses the plan and names the field. */
const requireField = <Schema extends z.ZodType>(absent: z.input<Schema>, schema: Schema) =>
  z.preprocess((value) => (value === undefined ? absent : value), schema).meta(ALWAYS);

const File = z.object({
  path: z.string().refine(isFile, { error: "the normalized path of one file in the repository, such as src/a.ts" }),
  action: z.enum(["create", "modify", "review", "reference"]),
  reason: z.string().default(""),
});

const DeclaredPhase = z.object({
  phase_id: z.number().int().min(1),
  title: z.string().min(1),
  objective: z.string(),
  wave: z.number().int().min(1),
  executor_agent: requireField("", z.string().describe("one of the eight executors")),
  files: z.array(File).describe("every file that it may change"),
  tests: requireField(
    [],
    z.array(z.string().describe("a test that proves it; none for documentation and read-only phases")),
  ),
  steps: z.array(z.string()).min(1),
  acceptance_criteria: z.array(z.string()).min(1),
  quality_gates: z.array(z.enum(QUALITY_GATES)).min(1),
  dependencies: z.array(z.number().int()).default([]).describe("phases of earlier waves"),
  skill_references: z.array(z.string()).max(MOST_SKILLS).optional(),
  /** Deletes, overwrites or leaves the repository; needs a person's approval in every mode. */
  destructive: z.boolean().meta(ALWAYS),
  /** Affects systems that others use; its wave is approved phase by phase. */
  production: z.boolean().default(false),
  approval_actions: z.array(z.enum(APPROVAL_ACTIONS)).default([]),
});

/** A phase declares whether it is destructive; without a declaration, its prose decides. */
export const Phase = z.preprocess(withDeclaration, DeclaredPhase);
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

/** Questions of the first five classes are asked before their phase; the last class is only recorded. */
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
  recommendation: z.string().min(1).describe("the option that the plan is built on"),
  /** A question without a class is asked. */
  class: z.enum(QUESTION_CLASSES).default("scope_ambiguity"),
  /** The phase that it concerns; default: the first one. */
  phase_id: z.number().int().min(1).optional(),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** An interface that one phase delivers to another. */
const PhaseContract = z.object({
  from_phase: z.number().int(),
  to_phase: z.number().int(),
  interface: z.string(),
  format: z.string().default(""),
});

/** A single sentence is read as a list with one entry. */
const textList = z
  .preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.string().min(1)).default([]))
  .meta(ALWAYS);
/** The four kinds of design decisions; null if the project's own form has no field for them. */
const DesignDecisions = z.object({ choices: textList, boundaries: textList, flow: textList, trade_offs: textList });

/**
 * @rule P-02 (declaration) A plan that violates the schema or a rule of the plan gate goes back to the planner; no
 *   phase runs from an invalid plan.
 */
const Proposed = z.object({
  ...createReplyFields("Planner", ["READY_FOR_EXECUTION", "ABSTAIN", "REPLAN_REQUIRED"]),
  task_title: z.string().min(3).describe("what changes, imperative, at most 50 characters: becomes the commit subject"),
  summary: z
    .string()
    .min(10)
    .describe("why, and what will be different: becomes the commit body; do not repeat the title"),
  phases: z.array(Phase),
  design_decisions: requireField({}, DesignDecisions.nullable()),
  open_questions: z.array(OpenQuestion).default([]),
  contracts: z.array(PhaseContract).default([]),
  risks: z.array(z.object({ risk: z.string(), mitigation: z.string() })).default([]),
  risk_review: requireField([], z.array(RiskReview).describe("each of the seven categories once")),
  success_criteria: z.array(z.string()).default([]),
  kind: z.enum(WORK_KINDS).optional().describe("kind of work; a fix or a feature needs a test that is red without it"),
  /** Behaviour changes that the request asks for; approved together with the plan. */
  announces: z.array(Announcement).optional(),
  complexity_tier: z.enum(TIERS),
  max_parallel_agents: z.number().int().min(1).max(10).default(10),
});
/** The planner's answer. */
export const Proposal = z.preprocess(withDesign, Proposed);

/** A plan with the fields that the engine adds. */
export const Plan = z.preprocess(
  withDesign,
  Proposed.extend({
    /** The version that this one replaces. The engine sets it and ignores the planner's value. */
    revision_of: z.string().optional(),
  }),
);
export type Plan = z.infer<typeof Plan>;

/**
 * Rejects patterns, which would let one phase claim every file, and second spellings of a path, which would hide a
 * conflict.
 */
function isFile(path: string): boolean {
  const parts = path.split("/");
  return !/[*?]/.test(path) && !parts.some((part) => part === "" || part === "." || part === "..");
}

/** Plans in a project's own form keep the design in the document. */
function withDesign(value: unknown): unknown {
  return isOwnForm(value) && value["design_decisions"] === undefined ? { ...value, design_decisions: null } : value;
}

type PhaseProse = Pick<z.infer<typeof DeclaredPhase>, "title" | "objective" | "steps" | "acceptance_criteria">;

/** The prose of a phase. */
export const joinProse = ({ title, objective, steps, acceptance_criteria }: PhaseProse): string =>
  [title, objective, ...steps, ...acceptance_criteria].join(".\n");

const UndeclaredPhase = z.looseObject({
  title: z.string(),
  objective: z.string(),
  steps: z.array(z.string()),
  acceptance_criteria: z.array(z.string()),
  destructive: z.undefined().optional(),
  approval_actions: z.array(z.string()).default([]),
});

function withDeclaration(value: unknown): unknown {
  const { data } = UndeclaredPhase.safeParse(value);
  if (!data) return value;
  const prose = joinProse(data);
  const approval_actions = [...new Set([...data.approval_actions, ...detectWordedActions(prose)])];
  return { ...data, destructive: hasLossWording(prose), approval_actions };
}
