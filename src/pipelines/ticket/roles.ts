import { never, once, orRest } from "../../core/authoring/retry.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { Developed, Done, RequestReading, ReviewReport } from "./contracts.ts";
import type { DOCS } from "./preparing/docs.ts";
import { developer as developerPrompt } from "./prompts/developer.ts";
import { initializer as initializerPrompt } from "./prompts/initializer.ts";
import { interpreter as interpreterPrompt } from "./prompts/interpreter.ts";
import { planner as plannerPrompt } from "./prompts/planner.ts";
import { reviewer as reviewerPrompt } from "./prompts/reviewer.ts";
import { splitter as splitterPrompt } from "./prompts/splitter.ts";

/** Where the ticket keeps its books; paths that matter to a role have it in them. */
const BOOKS = ["jira", "iteration"];

export const interpreter = defineRole({
  name: "Interpreter",
  does: "Turns an unclear request into a clear one: type, name, criteria, and the questions that are left.",
  prompt: interpreterPrompt,
  contract: RequestReading,
  writes: true,
});

export const initializer = defineRole({
  name: "Initializer",
  does: "Brings the architecture, style and findings documents up to date with the code.",
  prompt: initializerPrompt,
  untold: BOOKS,
  contract: Done,
  writes: true,
});

export const planner = defineRole({
  name: "Planner",
  does: "Finds out everything the work needs and writes plan.md and tasks.yaml, leaving nothing to look up later.",
  prompt: plannerPrompt,
  untold: BOOKS,
  contract: Done,
  writes: true,
});

export const splitter = defineRole({
  name: "Splitter",
  does: "Cuts a finished plan into the fewest tasks that do not share files, as tasks.yaml.",
  prompt: splitterPrompt,
  untold: BOOKS,
  contract: Done,
  writes: true,
});

export const developer = defineRole({
  name: "Developer",
  does: "Implements one task exactly as it is written, in its own files and tests.",
  prompt: developerPrompt,
  untold: BOOKS,
  contract: Developed,
  writes: true,
});

export const reviewer = defineRole({
  name: "Reviewer",
  does: "Checks one task, or the whole iteration, against its success criteria and accepts or rejects it.",
  prompt: reviewerPrompt,
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
