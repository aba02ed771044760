import { z } from "zod";
import { classified, lasting, replyOf } from "./reply.ts";

export const Discovery = z
  .object({
    ...replyOf("CodeMapper", ["COMPLETE", "ABSTAIN"]),
    search_runs: z.array(z.object({ tool: z.string(), query: z.string() })).optional(),
    files: z
      .array(
        z.object({
          path: z.string(),
          relevance: z.string(),
          key_locations: z.array(z.object({ symbol: z.string(), line: z.number().int() })).optional(),
        }),
      )
      .default([]),
    answer: z.string().default(""),
    conventions: z.array(z.string()).optional(),
    next_steps: z.array(z.string()).default([]),
  })
  .check(classified);

const Cited = z.object({ file: z.string(), line_start: z.number().int(), line_end: z.number().int().optional() });

export const Findings = z
  .object({
    ...replyOf("Researcher", ["COMPLETE", "ABSTAIN", "INSUFFICIENT_EVIDENCE"]),
    scope_in: z.array(z.string()).min(1),
    scope_out: z.array(z.string()).min(1),
    relevant_files: z.array(z.object({ path: z.string(), purpose: z.string() })).default([]),
    key_findings: z.array(z.object({ fact: z.string(), evidence: z.array(Cited).min(1) })).default([]),
    patterns: z.array(z.string()).default([]),
    implementation_options: z
      .array(z.object({ option: z.string(), tradeoffs: z.array(z.string()), based_on: z.array(z.string()) }))
      .default([]),
    open_questions: z.array(z.string()).default([]),
  })
  .check(classified);

const Issue = z.object({
  severity: z.enum(["CRITICAL", "MAJOR", "MINOR"]),
  description: z.string().min(1),
  file: z.string().optional(),
  line: z.number().int().optional(),
  validation_status: z.enum(["confirmed", "rejected", "unvalidated"]).optional(),
});

/** Says that a finding is back: since which iteration, and which finding it was. */
const lineage = {
  regression_iteration: z.number().int().min(1).optional(),
  regression_finding_id: z.string().optional(),
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

const AuditFinding = Issue.extend({
  id: z.string().optional(),
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
  item_id: z.string().min(1),
  description: z.string().default(""),
  status: z.enum(["VERIFIED", "REGRESSED"]).default("VERIFIED"),
});
export type VerifiedItem = z.infer<typeof VerifiedItem>;

export const Audit = z
  .object({
    ...replyOf("PlanAuditor", ["APPROVED", "NEEDS_REVISION", "REJECTED", "ABSTAIN"]),
    plan_reference: z.object({ plan_path: z.string(), phase_count: z.number().int() }).optional(),
    findings: z.array(AuditFinding).default([]),
    verified_items: z.array(VerifiedItem).default([]),
    /** The first three tasks, and whether somebody could start on them. */
    executability_checklist: z
      .array(z.object({ task_id: z.string(), executable: z.boolean(), first_blocker: z.string().optional() }))
      .default([]),
    scoring: Scoring.optional(),
    recommendation: z.string().optional(),
  })
  .check(classified, lasting);
export type Audit = z.infer<typeof Audit>;

const Mirage = z.object({
  id: z.string().optional(),
  pattern_id: z.number().int().min(1).max(17).optional(),
  pattern_name: z.string().optional(),
  classification: z.enum(["PRESENCE_MIRAGE", "ABSENCE_MIRAGE"]).optional(),
  severity: z.enum(["BLOCKING", "IMPORTANT", "MINOR"]),
  claim: z.string().min(1),
  evidence: z.string().optional(),
  verdict: z.enum(["VERIFIED", "UNVERIFIED", "MIRAGE"]).default("MIRAGE"),
  ...lineage,
});

export const Mirages = z
  .object({
    ...replyOf("AssumptionVerifier", ["COMPLETE", "ABSTAIN"]),
    mirage_findings: z.array(Mirage).default([]),
    scoring: Scoring.optional(),
  })
  .check(classified, lasting);
export type Mirages = z.infer<typeof Mirages>;

const MOST_SIMULATED = 3;

export const Executability = z
  .object({
    ...replyOf("ExecutabilityVerifier", ["PASS", "FAIL", "WARN", "ABSTAIN"]),
    /** Without a task that was walked through there is nothing to believe. */
    tasks_simulated: z
      .array(
        z.object({
          task_id: z.string(),
          task_verdict: z.enum(["EXECUTABLE", "AMBIGUOUS", "BLOCKED"]),
          first_blocker: z.string().optional(),
        }),
      )
      .max(MOST_SIMULATED)
      .default([]),
    findings: z.array(Issue).default([]),
  })
  .check(classified);
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

const Ran = z.enum(["PASS", "FAIL", "NOT_AVAILABLE", "NOT_RUN"]);
const details = z.string().optional();

/** What an executor reports; each is held to its own name. */
export const executionReport = (agent: string) =>
  z
    .object({
      ...replyOf(agent, ["COMPLETE", "NEEDS_INPUT", "FAILED", "ABSTAIN"]),
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
      /** Claims, shown beside what the engine saw and never instead of it. */
      tests: z.object({ individual: Ran.optional(), full_suite: Ran.optional(), details }).optional(),
      build: z.object({ state: Ran, details }).optional(),
      lint: z.object({ state: Ran, details }).optional(),
      definition_of_done: z
        .object({ all_items_complete: z.boolean(), unchecked_items: z.array(z.string()).default([]) })
        .optional(),
      next_steps: z.array(z.string()).optional(),
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
    })
    .check(classified);
export type Report = z.infer<ReturnType<typeof executionReport>>;

export const Verdict = z
  .object({
    ...replyOf("CodeReviewer", ["APPROVED", "NEEDS_REVISION", "FAILED", "ABSTAIN"]),
    issues: z.array(Issue).default([]),
    validated_blocking_issues: z
      .array(Issue.extend({ severity: z.enum(["CRITICAL", "MAJOR"]), file: z.string() }))
      .default([]),
  })
  .check(classified);
export type Verdict = z.infer<typeof Verdict>;
