import { never, once, orRest } from "../../core/authoring/retry.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import { Developed, Done, RequestReading, ReviewReport } from "./contracts.ts";
import type { DOCS } from "./preparing/docs.ts";

/** Bookkeeping fields of the input; paths that matter to a role contain them. */
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
 * Files that each role may write, and how other writes are handled. No role may write the log, the progress file, a
 * commit or a branch. A developer's files come from its task, and its other changes are judged by the task's policy.
 * @rule T-53 (declaration) One table defines which files each agent may write. No agent commits, branches or logs.
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
  /** The engine computes the document cache, so an agent's own copy is dropped without harm. */
  Initializer: (stale: readonly (typeof DOCS)[number][]) => ({
    writes: stale,
    delivers: stale,
    outside: "drop" as const,
    // Optional work gets one retry and never blocks.
    retry: once(),
  }),
  Developer: (files: readonly string[]) => ({ writes: files, outside: "drop" as const, retry: never() }),
};

/**
 * For all roles except developers, whose attempts the pipeline counts. After a crash or a lasting rate limit, the run
 * is suspended until it is resumed.
 */
export const RETRY = orRest(once());
