import { z } from "zod";
import { CHECK_OUTCOMES } from "../../../core/checks/outcome/outcome.ts";
import type { Artifact } from "../../artifact.ts";
import { WORK_KINDS } from "../../work-kind.ts";
import { getFeatureFolder } from "../artifacts.ts";
import { FOCUSES } from "../contracts.ts";
import { Task } from "../planning/plan.ts";

const Severity = z.enum(["blocker", "critical", "major", "minor"]);
const Finding = z.looseObject({
  severity: Severity,
  message: z.string().min(1),
  files: z.array(z.string()).optional(),
});
const Judgement = z.enum(["approve", "needs_revision", "blocker"]);
const Risk = z.enum(["🟢", "🟡", "🔴"]);

const Evaluation = z.object({
  artifact_path: z.string().min(1),
  usefulness_score: z.int().min(1).max(10),
  clarity_score: z.int().min(1).max(10),
  missing_information: z.string().nullable(),
  inaccuracies: z.string().nullable(),
  impact_on_work: z.string().nullable(),
});

/** An agent's accepted answer, with any additional fields. */
const answer = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject({
    by: z.string().min(1),
    status: z.literal("DONE"),
    summary: z.string().optional(),
    artifact_evaluations: z.array(Evaluation),
    ...shape,
  });

const PlannedTask = z.object({
  ...Task.shape,
  risk: Risk,
  acceptance_criteria: z.array(z.string()),
  checks: z.array(z.string()),
  kind: z.enum(WORK_KINDS).optional(),
});

/** Reason why the final plan no longer contains this task. */
const TaskFile = z.object({ ...PlannedTask.shape, replaced: z.string().min(1).optional() });

const Plan = z.strictObject({
  overall_risk_summary: Risk,
  total_tasks: z.int().min(1),
  waves: z.array(
    z.strictObject({
      id: z.string().regex(/^wave-\d+$/),
      tasks: z.array(z.string()).min(1),
      max_concurrent: z.int().min(1),
    }),
  ),
  tasks: z.array(PlannedTask).min(1),
});

const Implementation = z.looseObject({
  task_id: z.string().min(1),
  summary: z.string().optional(),
  changed: z.array(z.string()),
  outside: z.array(z.string()),
});

const Check = z.object({
  name: z.string(),
  passed: z.boolean(),
  exitCode: z.int().nullable(),
  snippet: z.string(),
  before: z.boolean().optional(),
  outcome: z.enum(CHECK_OUTCOMES),
  proves: z.literal(true).optional(),
  tests: z.int().min(1).optional(),
  failing: z.array(z.string()).optional(),
});

const Verification = z.strictObject({
  task_id: z.string().min(1),
  round: z.int().min(1),
  passed: z.boolean(),
  evidence: z.object({
    tree: z.string().min(1),
    passed: z.boolean(),
    checks: z.array(Check),
    regressions: z.array(Finding),
    tamper: z.array(Finding),
    findings: z.array(Finding),
    notRun: z.array(z.string()),
  }),
  said: z.object({
    status: z.enum(["DONE", "NEEDS_REVISION"]),
    summary: z.string().optional(),
    findings: z.array(Finding),
  }),
  /** Summaries of earlier rounds. */
  earlier: z
    .array(
      z.strictObject({
        round: z.int().min(1),
        passed: z.boolean(),
        evidence: z.string(),
        said: z.unknown(),
        findings: z.array(Finding),
      }),
    )
    .optional(),
});

const Verdict = z.strictObject({
  by: z.string().min(1),
  round: z.int().min(1),
  verdicts: z.strictObject({ security: Judgement, architecture: Judgement, correctness: Judgement }),
  /** The engine's check results for the reviewed tree. */
  evidence: z.string().min(1),
});

const Knowledge = answer({
  decision_log_entries: z.array(z.looseObject({})),
  instruction_updates: z.array(
    z.object({ file_path: z.string(), change_type: z.string(), change_summary: z.string() }),
  ),
});

/** Entries of earlier runs are not validated further, because they never change. */
const Decisions = z.array(z.looseObject({ title: z.string().optional() })).min(1);

const toDocumentPath = (path: string): string => `${getFeatureFolder("<slug>")}/${path}`;

/** Structured files of a feature. The Markdown files beside them are for people. */
export const ARTIFACTS: readonly Artifact[] = [
  { name: "research", path: toDocumentPath("research/<focus>.yaml"), schema: answer({ focus: z.enum(FOCUSES) }) },
  { name: "spec-output", path: toDocumentPath("spec-output.yaml"), schema: answer({}) },
  { name: "design-output", path: toDocumentPath("design-output.yaml"), schema: answer({}) },
  { name: "plan-output", path: toDocumentPath("plan-output.yaml"), schema: Plan },
  { name: "task", path: toDocumentPath("tasks/<task>.yaml"), schema: TaskFile },
  { name: "implementation-report", path: toDocumentPath("implementation-reports/<task>.yaml"), schema: Implementation },
  { name: "verification-report", path: toDocumentPath("verification-reports/<task>.yaml"), schema: Verification },
  { name: "review-verdict", path: toDocumentPath("review-verdicts/<scope>-<view>.yaml"), schema: Verdict },
  { name: "knowledge-output", path: toDocumentPath("knowledge-output.yaml"), schema: Knowledge },
  { name: "decisions", path: toDocumentPath("decisions.yaml"), schema: Decisions },
];
