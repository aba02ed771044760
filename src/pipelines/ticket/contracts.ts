import { z } from "zod";

export const TYPES = ["fix", "feature", "chore"] as const;
export type WorkType = (typeof TYPES)[number];

const Mandate = z.object({ text: z.string().min(1), assigned_agent: z.enum(["planner", "developer"]) });
export type Mandate = z.infer<typeof Mandate>;

/** What `prompt.yaml` holds, whoever wrote it. */
export const Prompt = z.object({
  jira: z.string().regex(/^[A-Z]+-\d+$/),
  type: z.enum(TYPES),
  slug: z.string().regex(/^[a-z0-9]+(_[a-z0-9]+){0,2}$/),
  tool_mandates: z.array(Mandate).default([]),
  original_request: z.string().min(1),
  refined_prompt: z.string().min(1),
  success_criteria: z.array(z.string()).min(1),
});
export type Prompt = z.infer<typeof Prompt>;

export const Interpretation = Prompt.omit({ jira: true, original_request: true }).extend({
  questions: z.array(z.string()).default([]),
});

export const Done = z.object({ status: z.literal("DONE"), summary: z.string().default("") });

export const Developed = z.object({
  status: z.enum(["DONE", "SYNTAX_ERROR", "ERROR"]),
  summary: z.string().default(""),
});

export const Reviewed = z.object({
  status: z.enum(["ACCEPTED", "REJECTED"]),
  summary: z.string().default(""),
  criteria: z.array(z.object({ criterion: z.string(), met: z.boolean() })).default([]),
  findings: z
    .array(
      z.object({
        severity: z.enum(["blocker", "critical", "major", "minor"]).default("major"),
        message: z.string().min(1),
        files: z.array(z.string()).optional(),
      }),
    )
    .default([]),
});
export type Reviewed = z.infer<typeof Reviewed>;

export const Task = z.object({
  id: z.string().min(1),
  description: z.string(),
  files_to_modify: z.array(z.string()),
  test_files: z.array(z.string()).default([]),
  success_criteria: z.array(z.string()),
  parallel_group: z.string(),
  depends_on: z.array(z.string()),
  status: z.string(),
  tool_mandates: z.array(z.string()).default([]),
});
export type Task = z.infer<typeof Task>;

export const Tasks = z.object({
  validation_policy: z.looseObject({ baseline_allowlist: z.array(z.string()).default([]) }),
  tasks: z.array(Task).min(1),
  parallel_groups: z.record(z.string(), z.array(z.string())),
  execution_order: z
    .array(z.object({ group: z.string(), strategy: z.enum(["parallel", "sequential"]), tasks: z.array(z.string()) }))
    .min(1),
  strategy: z.string(),
});
export type Tasks = z.infer<typeof Tasks>;
