import { z } from "zod";
import {
  ALWAYS,
  createFailureField,
  createLastingFailureField,
  createReplyFields,
  formatDueStatuses,
  isOwnForm,
  requireFailureClass,
} from "./acting/reply.ts";

/** Accepts conventions grouped under headings, as some projects write them. */
const flattenLists = (reply: unknown): unknown =>
  typeof reply === "object" && reply !== null && !Array.isArray(reply) ? Object.values(reply).flat() : reply;

const CodeMap = z.object({
  ...createReplyFields("CodeMapper", ["COMPLETE", "ABSTAIN"]),
  search_runs: z
    .array(z.object({ tool: z.string(), query: z.string() }))
    .optional()
    .meta(ALWAYS),
  files: z
    .array(
      z.object({
        path: z.string(),
        relevance: z.string().describe("why it matters for the task"),
        key_locations: z.array(z.object({ symbol: z.string(), line: z.number().int() })).optional(),
      }),
    )
    .default([])
    .meta(ALWAYS),
  answer: z
    .string()
    .default("")
    .meta({ description: "how the parts fit together", ...ALWAYS }),
  conventions: z
    .preprocess(flattenLists, z.array(z.string().describe("how things are named or tested here")).optional())
    .meta(ALWAYS),
  next_steps: z.array(z.string()).default([]).meta(ALWAYS),
});

/** Projects with their own form declare an abstention by the status alone. */
export const Discovery = z.preprocess(
  (reply) => (isOwnForm(reply) && reply["abstain"] === undefined ? { ...reply, abstain: NOT_ABSTAINING } : reply),
  CodeMap,
);
export type Discovery = z.infer<typeof Discovery>;

const NOT_ABSTAINING = { is_abstaining: false, reasons: [] };

const Cited = z.object({ file: z.string(), line_start: z.number().int(), line_end: z.number().int().optional() });

export const Findings = z.object({
  ...createReplyFields("Researcher", ["COMPLETE", "ABSTAIN", "INSUFFICIENT_EVIDENCE"]),
  scope_in: z.array(z.string().describe("what belongs to the task")).min(1),
  scope_out: z.array(z.string().describe("what does not")).min(1),
  relevant_files: z
    .array(z.object({ path: z.string(), purpose: z.string() }))
    .default([])
    .meta(ALWAYS),
  key_findings: z
    .array(z.object({ fact: z.string(), evidence: z.array(Cited).min(1) }))
    .default([])
    .meta(ALWAYS),
  patterns: z.array(z.string()).default([]).meta(ALWAYS),
  implementation_options: z
    .array(
      z.object({
        option: z.string(),
        tradeoffs: z.array(z.string()),
        based_on: z.array(z.string().describe("the key finding it is based on")),
      }),
    )
    .default([])
    .meta(ALWAYS),
  open_questions: z.array(z.string().describe("what only a person can answer")).default([]).meta(ALWAYS),
});

export type Findings = z.infer<typeof Findings>;

const Issue = z.object({
  severity: z.enum(["CRITICAL", "MAJOR", "MINOR"]),
  description: z.string().min(1).describe("what goes wrong, when, for whom"),
  file: z.string().optional(),
  line: z.number().int().optional(),
  validation_status: z.enum(["confirmed", "rejected", "unvalidated"]).optional().meta(ALWAYS),
});

const RECURRING = { due: "only for a finding that was settled and is back" };

/** Marks a finding that is back: the iteration, and the finding it repeats. */
const lineage = {
  regression_iteration: z.number().int().min(1).optional().meta(RECURRING),
  regression_finding_id: z
    .string()
    .optional()
    .meta({ description: "id of the earlier finding", ...RECURRING }),
};

const AUDIT_CATEGORIES = [
  "security",
  "architecture",
  "dependency_conflict",
  "scope_gap",
  "test_coverage",
  "destructive_risk",
  "performance",
  "contract_violation",
  "missing_rollback",
] as const;
export type AuditCategory = (typeof AUDIT_CATEGORIES)[number];

const AuditFinding = Issue.omit({ validation_status: true, line: true }).extend({
  category: z.enum(AUDIT_CATEGORIES).optional(),
  affected_phases: z.array(z.number().int()).default([]),
  suggested_fix: z.string().optional(),
  ...lineage,
});
export type AuditFinding = z.infer<typeof AuditFinding>;

const Scoring = z.object({
  dimensions: z
    .array(z.object({ name: z.string(), raw_score: z.number().min(0).max(5), weight: z.number().min(0).optional() }))
    .optional(),
  percentage: z.number().min(0).max(100),
});

export const VerifiedItem = z.object({
  item_id: z.string().min(1).describe("your own id, or the id you were given"),
  description: z.string().default("").describe("what holds"),
  status: z.enum(["VERIFIED", "REGRESSED"]).default("VERIFIED").meta(ALWAYS),
});
export type VerifiedItem = z.infer<typeof VerifiedItem>;

const AUDIT_STATUSES = ["APPROVED", "NEEDS_REVISION", "REJECTED", "ABSTAIN"] as const;

export const Audit = z
  .object({
    ...createReplyFields("PlanAuditor", AUDIT_STATUSES),
    ...createLastingFailureField(formatDueStatuses(AUDIT_STATUSES)),
    plan_reference: z.object({ plan_path: z.string(), phase_count: z.number().int() }).optional(),
    findings: z.array(AuditFinding).default([]).meta(ALWAYS),
    verified_items: z.array(VerifiedItem).default([]).meta(ALWAYS),
    /** The first three tasks, and whether an executor could start them. */
    executability_checklist: z
      .array(z.object({ task_id: z.string(), executable: z.boolean(), first_blocker: z.string().optional() }))
      .default([])
      .meta(ALWAYS),
    scoring: Scoring.optional().meta(ALWAYS),
  })
  .check(requireFailureClass);
export type Audit = z.infer<typeof Audit>;

const Mirage = z.object({
  pattern_id: z.number().int().min(1).max(17).optional().meta(ALWAYS),
  pattern_name: z.string().optional().meta(ALWAYS),
  classification: z.enum(["PRESENCE_MIRAGE", "ABSENCE_MIRAGE"]).optional(),
  severity: z.enum(["BLOCKING", "IMPORTANT", "MINOR"]),
  claim: z.string().min(1).describe("what the plan says"),
  evidence: z
    .string()
    .optional()
    .meta({ description: "what you found instead, with path and line", ...ALWAYS }),
  verdict: z.enum(["VERIFIED", "UNVERIFIED", "MIRAGE"]).default("MIRAGE").meta(ALWAYS),
  ...lineage,
});

export const Mirages = z.object({
  ...createReplyFields("AssumptionVerifier", ["COMPLETE", "ABSTAIN"]),
  ...createLastingFailureField("only with a BLOCKING mirage"),
  mirage_findings: z.array(Mirage).default([]).meta(ALWAYS),
  scoring: Scoring.optional().meta(ALWAYS),
});
export type Mirages = z.infer<typeof Mirages>;

const MOST_SIMULATED = 3;

export const Executability = z.object({
  ...createReplyFields("ExecutabilityVerifier", ["PASS", "FAIL", "WARN", "ABSTAIN"]),
  /** A reply without a simulated task counts as no simulation. */
  tasks_simulated: z
    .array(
      z.object({
        task_id: z.string().describe("phase and step"),
        task_verdict: z.enum(["EXECUTABLE", "AMBIGUOUS", "BLOCKED"]),
        first_blocker: z.string().optional().meta({
          description: "the question that the plan leaves open",
          due: "only with task_verdict: AMBIGUOUS or BLOCKED",
        }),
      }),
    )
    .max(MOST_SIMULATED)
    .default([])
    .meta(ALWAYS),
  findings: z
    .array(Issue.omit({ validation_status: true, line: true }))
    .default([])
    .meta(ALWAYS),
});
export type Executability = z.infer<typeof Executability>;

const VERDICT_STATUSES = ["APPROVED", "NEEDS_REVISION", "FAILED", "ABSTAIN"] as const;

export const CodeVerdict = z
  .object({
    ...createReplyFields("CodeReviewer", VERDICT_STATUSES),
    ...createFailureField(VERDICT_STATUSES),
    issues: z.array(Issue).default([]).meta(ALWAYS),
    validated_blocking_issues: z
      .array(
        Issue.omit({ validation_status: true }).extend({ severity: z.enum(["CRITICAL", "MAJOR"]), file: z.string() }),
      )
      .default([])
      .meta({ description: "the CRITICAL and MAJOR issues that you confirmed in the code", ...ALWAYS }),
  })
  .check(requireFailureClass)
  .check(requireValidationStatus);
export type CodeVerdict = z.infer<typeof CodeVerdict>;

type ReviewedIssues = {
  readonly issues: readonly z.infer<typeof Issue>[];
  readonly validated_blocking_issues: readonly { readonly description: string }[];
};

/**
 * For `.check()`: without a validation status, it is unknown whether a serious issue blocks, so the reply is refused
 * and repaired. A copy in `validated_blocking_issues` also confirms the issue.
 */
function requireValidationStatus({ value, issues: problems }: z.core.ParsePayload<ReviewedIssues>): void {
  const confirmed = new Set(value.validated_blocking_issues.map(({ description }) => description));
  for (const [at, { severity, validation_status: status, description }] of value.issues.entries()) {
    if (severity === "MINOR" || status !== undefined || confirmed.has(description)) continue;
    const message = `one of confirmed | rejected | unvalidated, because the issue is ${severity}`;
    problems.push({ code: "custom", path: ["issues", at, "validation_status"], message, input: value });
  }
}
