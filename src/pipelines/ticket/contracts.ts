import { z } from "zod";
import { Announcement } from "../../core/authoring/announcement.ts";
import { Criterion, Objection, Verdict, withLists } from "./working/review-schema.ts";

export const TYPES = ["fix", "feature", "chore"] as const;
export type WorkType = (typeof TYPES)[number];

/** Builds a schema for a text format with a readable error message. */
const createFormat = (pattern: RegExp, words: string) =>
  z.string().refine((text) => pattern.test(text), { error: words });

export const TicketId = createFormat(/^[A-Z]+-\d+$/, "a ticket id such as ABC-123");
const Moment = z.iso.datetime({ offset: true });

export const Mandate = z.looseObject({ text: z.string().min(1), assigned_agent: z.enum(["planner", "developer"]) });
export type Mandate = z.infer<typeof Mandate>;

/**
 * @rule T-36 (declaration) `prompt.yaml` contains all of its fields in their form and is validated regardless of its
 *   author.
 */
export const Prompt = z.object({
  jira: TicketId,
  type: z.enum(TYPES),
  slug: createFormat(/^[a-z0-9]+(_[a-z0-9]+){2}$/, "three words of small letters and digits, joined by _"),
  tool_mandates: z.array(Mandate),
  original_request: z.string().min(1),
  refined_prompt: z.string().min(1),
  success_criteria: z.array(z.string().min(1)).min(1),
  created_at: Moment,
});
export type Prompt = z.infer<typeof Prompt>;

/** The Interpreter's answer. Open questions go to a person. */
export const RequestReading = z.object({
  type: Prompt.shape.type,
  slug: Prompt.shape.slug.describe("three words that name the work, small letters and digits, joined by _"),
  tool_mandates: Prompt.shape.tool_mandates.optional(),
  refined_prompt: Prompt.shape.refined_prompt.describe("your understanding of the request in one paragraph, complete"),
  success_criteria: z
    .array(z.string().min(1).describe("true when the work is done, false now"))
    .min(1)
    .describe("at least one"),
  questions: z.array(z.string().describe("what only the person knows")).default([]),
});
export type RequestReading = z.infer<typeof RequestReading>;

export const Done = z.object({ status: z.literal("DONE"), summary: z.string().describe("one sentence").default("") });

export const Developed = z.object({
  status: z
    .enum(["DONE", "SYNTAX_ERROR", "ERROR"])
    .describe("SYNTAX_ERROR if a file cannot be parsed, ERROR if the task cannot be done as written"),
  summary: z.string().describe("what you did, or the obstacle").default(""),
});

/** A report has one of two statuses. A report without criteria is not a review. */
export const ReviewReport = z.object({
  status: z.enum(["ACCEPTED", "REJECTED"]).describe("one of the two"),
  summary: z.string().describe("two or three sentences").default(""),
  criteria: z.array(Criterion).describe("all of them; without a list, those of the request"),
  findings: z
    .array(Objection)
    .default([])
    .meta({ description: "what is wrong and where", due: "at least one with status: REJECTED" }),
});
export type ReviewReport = z.infer<typeof ReviewReport>;

/** A report as the Reviewer writes it to a file: any form, except for the status. */
export const WrittenReport = z.preprocess(withLists, z.looseObject({ ...ReviewReport.shape, status: Verdict }));

/** `review_report.yaml`, written by a Reviewer or by the trivial path. */
export const Report = z.looseObject({
  ...ReviewReport.shape,
  mode: z.enum(["prompt-review", "auto-accept-trivial"]),
  build: z.string(),
  tests: z.string(),
  reviewed_at: Moment,
});
export type Report = z.infer<typeof Report>;

export const STATUSES = ["PENDING", "SYNTAX_VALID", "SYNTAX_ERROR", "ERROR", "REJECTED", "ACCEPTED"] as const;
export type TaskStatus = (typeof STATUSES)[number];

const TaskFile = z.string().refine(isTaskFile, { error: "the path of a file of the project, without wildcards" });

/** Loose, because additional fields go to the developer. */
export const Task = z.looseObject({
  id: createFormat(/^[A-Za-z0-9][\w.-]*$/, "letters, digits, dashes, dots and underscores"),
  description: z.string(),
  files_to_modify: z.array(TaskFile),
  test_files: z.array(TaskFile).default([]),
  success_criteria: z.array(z.string()),
  parallel_group: z.string(),
  depends_on: z.array(z.string()),
  status: z.string(),
  tool_mandates: z.array(z.unknown()).default([]),
});
export type Task = z.infer<typeof Task>;

const Folder = z.string().refine(isInside, { error: "a folder inside the repository" });
const Validation = {
  working_directory: Folder.optional(),
  build_command: z.string().min(1).optional(),
  test_command: z.string().min(1).optional(),
};

/** The only source of allowlists and group commands. */
export const ValidationPolicy = z.looseObject({
  baseline_allowlist: z.array(z.string()).default([]),
  baseline_scope: z.enum(["code_and_tests_only", "all"]).default("code_and_tests_only"),
  ...Validation,
  groups: z.record(z.string(), z.looseObject(Validation)).default({}),
});
export type ValidationPolicy = z.infer<typeof ValidationPolicy>;

/** @rule T-11 (declaration) An invalid `tasks.yaml` is removed, and the Splitter writes a new one. */
export const Tasks = z.looseObject({
  validation_policy: ValidationPolicy,
  tasks: z.array(Task).min(1),
  parallel_groups: z.record(z.string(), z.array(z.string())),
  execution_order: z
    .array(z.object({ group: z.string(), strategy: z.enum(["parallel", "sequential"]), tasks: z.array(z.string()) }))
    .min(1),
  strategy: z.string(),
  /** Requested behaviour changes; they count after a person's approval. */
  announces: z.array(Announcement).optional(),
});
export type Tasks = z.infer<typeof Tasks>;
export type Group = Tasks["execution_order"][number];

function isInside(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.split("/").includes("..");
}

/** Refuses patterns, which would let one task claim everything, and the ticket's own files. */
function isTaskFile(path: string): boolean {
  return isInside(path) && !/[*?]/.test(path) && !/^(\.\/)?(prompts\/[A-Z]+-\d+|\.git|\.signalbox)\//.test(path);
}
