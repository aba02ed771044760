import { z } from "zod";

export const PERSPECTIVES = ["security-sentinel", "architecture-guardian", "pragmatic-verifier"] as const;
export const CATEGORIES = ["security", "architecture", "correctness"] as const;
export const FOCUSES = ["architecture", "impact", "dependencies", "patterns"] as const;

const Severity = z.enum(["Blocker", "Critical", "Major", "Minor"]);
const Risk = z.enum(["🟢", "🟡", "🔴"]);

/** What every agent of this pipeline says about its dispatch, beside what it delivers. */
const completion = {
  summary: z.string().max(200).optional(),
  severity: Severity.nullish(),
  findings_count: z.number().int().min(0).optional(),
  risk_level: Risk.nullish(),
  output_paths: z.array(z.string()).optional(),
};

const STATUSES = ["DONE", "NEEDS_REVISION", "ERROR"] as const;
type Status = (typeof STATUSES)[number];

/** An agent that reports ERROR has failed its dispatch: it takes the same path as one that crashed. */
const status = <const S extends Status>(...may: readonly S[]) =>
  z
    .enum(STATUSES)
    .default("DONE")
    .refine((said): said is S => may.some((each) => each === said), {
      error: (issue) => `${may.join(" or ")}, for the run to go on after ${String(issue.input)}`,
    });

const done = { ...completion, status: status("DONE") };

export const Reported = z.object({
  severity: z.enum(["blocker", "critical", "major", "minor"]),
  message: z.string().min(1),
  files: z.array(z.string()).optional(),
});

export const RequestEvaluation = z.object({
  ...done,
  concerns: z.array(
    z.object({ kind: z.enum(["scope", "conflict", "vagueness"]), severity: Severity, text: z.string().min(1) }),
  ),
});

export const Research = z.object({
  ...done,
  findings: z.array(
    z.object({ id: z.string(), title: z.string(), detail: z.string(), evidence: z.array(z.string()).min(1) }),
  ),
  source_files_examined: z.array(z.string()).default([]),
});

export const Specification = z.object({
  ...done,
  feature_name: z.string().min(1),
  functional_requirements: z.array(z.object({ id: z.string(), text: z.string() })).min(1),
  acceptance_criteria: z.array(z.object({ id: z.string(), text: z.string(), test_method: z.string().optional() })),
  edge_cases: z.array(z.string()).optional(),
});

export const Design = z.object({
  ...done,
  architecture: z.string().min(1),
  decisions: z.array(
    z.object({ id: z.string(), title: z.string(), risk: Risk.optional(), rationale: z.string().optional() }),
  ),
});

const Judgement = z.enum(["approve", "needs_revision", "blocker"]);
export const Verdict = z.object({
  ...done,
  verdicts: z.object({ security: Judgement, architecture: Judgement, correctness: Judgement }),
  findings: z.array(Reported.extend({ category: z.enum(CATEGORIES).optional() })).default([]),
});
export type Verdict = z.infer<typeof Verdict>;

export const Task = z.object({
  id: z.string().regex(/^[A-Za-z0-9][\w.-]*$/),
  title: z.string(),
  size: z.enum(["Standard", "Large"]).default("Standard"),
  risk: Risk.default("🟢"),
  depends_on: z.array(z.string()).default([]),
  acceptance_criteria: z.array(z.string()).default([]),
  files: z.array(z.string()).min(1),
  relevant_context: z.record(z.string(), z.json()).optional(),
});
export type Task = z.infer<typeof Task>;

export const Plan = z.object({ ...done, tasks: z.array(Task).min(1), dependency_graph: z.string().optional() });

export const Implementation = z.object({
  ...done,
  changes: z.array(z.object({ path: z.string(), description: z.string() })).default([]),
  self_fix_attempts: z.number().int().min(0).max(2).default(0),
});

export const Verification = z.object({
  ...completion,
  status: status("DONE", "NEEDS_REVISION"),
  findings: z.array(Reported).default([]),
});

const Score = z.number().int().min(1).max(10);
export const Knowledge = z.object({
  ...done,
  decision_log_entries: z.array(z.object({ id: z.string(), title: z.string(), rationale: z.string() })).default([]),
  artifact_evaluations: z
    .array(z.object({ artifact_path: z.string(), usefulness_score: Score, clarity_score: Score }))
    .default([]),
  instruction_updates: z
    .array(
      z.object({
        file_path: z.string(),
        change_type: z.enum(["create", "append", "modify", "delete"]),
        change_summary: z.string().max(1000),
      }),
    )
    .default([]),
});
