import { never, once, orRest } from "../../core/authoring/retry.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import { Developed, Done, RequestReading, ReviewReport } from "./contracts.ts";
import type { DOCS } from "./preparing/docs.ts";

/** Where the ticket keeps its books; paths that matter to a role have it in them. */
const BOOKS = ["jira", "iteration"];

export const interpreter = defineRole({
  ...loadRolePrompt(import.meta.url, "interpreter"),
  contract: RequestReading,
  writes: true,
});

export const initializer = defineRole({
  ...loadRolePrompt(import.meta.url, "initializer"),
  untold: BOOKS,
  contract: Done,
  writes: true,
});

export const planner = defineRole({
  ...loadRolePrompt(import.meta.url, "planner"),
  untold: BOOKS,
  contract: Done,
  writes: true,
});

export const splitter = defineRole({
  ...loadRolePrompt(import.meta.url, "splitter"),
  untold: BOOKS,
  contract: Done,
  writes: true,
});

export const developer = defineRole({
  ...loadRolePrompt(import.meta.url, "developer"),
  untold: BOOKS,
  contract: Developed,
  writes: true,
});

export const reviewer = defineRole({
  ...loadRolePrompt(import.meta.url, "reviewer"),
  untold: BOOKS,
  contract: ReviewReport,
  writes: true,
});

/**
 * Who may write what, and what becomes of a dispatch that writes elsewhere. Nobody's row has the log, the progress,
 * a commit or a branch. A developer's files come with its task; its stray changes are judged by the task's policy.
 * @rule T-53 (declaration) Who may write what is written in one table.
 */
export const ROWS = {
  Interpreter: (folder: string) => ({ writes: [`${folder}/prompt.yaml`], outside: "fail" as const }),
  Planner: (iteration: string) => ({
    writes: [`${iteration}/plan.md`, `${iteration}/tasks.yaml`],
    delivers: [`${iteration}/plan.md`],
    outside: "fail" as const,
  }),
  Splitter: (iteration: string) => ({
    writes: [`${iteration}/tasks.yaml`],
    delivers: [`${iteration}/tasks.yaml`],
    outside: "fail" as const,
  }),
  Reviewer: (iteration: string) => ({ writes: [`${iteration}/review_report.yaml`], outside: "fail" as const }),
  /** The cache beside the documents is counted by the engine: an agent's own is dropped without harm. */
  Initializer: (stale: readonly (typeof DOCS)[number][]) => ({
    writes: stale,
    delivers: stale,
    outside: "drop" as const,
    // Whoever can be done without holds up nobody.
    retry: once(),
  }),
  Developer: (files: readonly string[]) => ({ writes: files, outside: "drop" as const, retry: never() }),
};

/**
 * For everybody but developers, whose attempts the pipeline counts itself. A crash or a rate limit that stays is no
 * answer: the run rests until it is resumed.
 */
export const RETRY = orRest(once());
