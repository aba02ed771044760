import { z } from "zod";
import { Finding } from "../../../core/authoring/finding.ts";
import { FOCUSES, PERSPECTIVES } from "../contracts.ts";
import { Task } from "../planning/plan.ts";

/** A question to a person, with the answer. */
export const Remark = z.object({ about: z.string(), said: z.string() });
export type Remark = z.infer<typeof Remark>;

const Document = z.unknown();
const Findings = z.array(Finding).readonly();

/** Documents that contain more than the input, and people's remarks. */
const common = {
  documents: z.array(z.string()).readonly().optional(),
  remarks: z.array(Remark).readonly().optional(),
};
/** The request and the specification, for every role that judges. */
const asked = { request: z.string(), spec: Document };

export const EvaluatorInput = z.object({ request: z.string() });

export const ResearcherInput = z.object({
  request: z.string(),
  focus: z.enum(FOCUSES),
  looks_at: z.string(),
  ...common,
  notes: z.string().optional(),
  earlier: Document.optional(),
});

export const SpecInput = z.object({ request: z.string(), research: Document, ...common });

export const DesignerInput = z.object({
  spec: Document,
  research: Document,
  ...common,
  design: Document.optional(),
  findings: Findings.optional(),
  review: z.string(),
});

export const ReviewerInput = z.object({
  review_scope: z.enum(["design", "code"]),
  review_perspective: z.enum(PERSPECTIVES),
  looks_for: z.string(),
  round: z.number(),
  task_id: z.string(),
  tree: z.string(),
  ...asked,
  ...common,
  design: Document.optional(),
  diff: z.string().optional(),
  evidence: Document.optional(),
  reports: Document.optional(),
  earlier: z.object({ findings: Document, done: Document }).optional(),
});

export const PlannerInput = z.object({
  mode: z.literal("replan").optional(),
  design: Document,
  spec: Document,
  verdicts: z.array(Document).readonly().optional(),
  ...common,
  note: z.string().optional(),
  plan: Document.optional(),
  accepted: z.array(z.string()).readonly().optional(),
  reports: Document.optional(),
  findings: Findings.optional(),
});

/** The previous delivery; `in_the_tree` says whether it can be continued. */
const PreviousDelivery = z.object({
  in_the_tree: z.boolean(),
  summary: z.string().optional(),
  changed: z.array(z.string()).readonly(),
  not_taken: z.array(z.string()).readonly().optional(),
});
export type PreviousDelivery = z.infer<typeof PreviousDelivery>;

export const ImplementerInput = z.object({
  task: Task,
  ...common,
  findings: Findings.optional(),
  advice: Findings.optional(),
  before: PreviousDelivery.optional(),
});

export const VerifierInput = z.object({
  task: Task,
  ...asked,
  report: Document,
  diff: z.string(),
  ...common,
  findings: Findings.optional(),
  before: PreviousDelivery.optional(),
});

export const KnowledgeInput = z.object({
  request: z.string(),
  ...common,
  /** The folder of all documents. */
  documents: z.string(),
  confidence: z.enum(["high", "medium", "low"]),
  changed: z.array(z.string()).readonly(),
  went_wrong: z.object({ errors: Document, retries: Document, gates: Document }).partial(),
  findings: Document,
});
