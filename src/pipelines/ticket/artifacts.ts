import type { z } from "zod";
import { yamlText } from "../../core/text/yaml-text.ts";
import { shortened } from "../commit-text.ts";
import { Prompt, Report, Tasks } from "./contracts.ts";
import { DOCS_CACHE } from "./files/documents.ts";
import { LogLine } from "./files/log.ts";
import { Progress } from "./files/progress.ts";
import { DocsCache } from "./preparing/docs.ts";

/** Each structured file of a ticket, where people find it, and what it holds. */
export const ARTIFACTS: readonly { readonly name: string; readonly path: string; readonly schema: z.ZodType }[] = [
  { name: "prompt", path: "prompts/<ticket>/prompt.yaml", schema: Prompt },
  { name: "progress", path: "prompts/<ticket>/progress.yaml", schema: Progress },
  { name: "log", path: "prompts/<ticket>/log.jsonl", schema: LogLine },
  { name: "tasks", path: "prompts/<ticket>/iteration_<n>/tasks.yaml", schema: Tasks },
  { name: "review report", path: "prompts/<ticket>/iteration_<n>/review_report.yaml", schema: Report },
  { name: "docs cache", path: DOCS_CACHE, schema: DocsCache },
];

/** @rule T-37 (code) A ticket's folder has the known files and none of the old ones. */
export const folderOf = (ticket: string): string => `prompts/${ticket}`;
/** Folders count from 0, people from 1. */
export const iterationFolder = (ticket: string, iteration: number): string =>
  `${folderOf(ticket)}/iteration_${iteration}`;

export const yamlOf = yamlText;

/** @rule T-03 (declaration) Files of the older model beside those of this one end the run, each by name. */
const LEGACY =
  /(^|\/)(startup_context\.yaml|context_compact\.yaml|validation_plan\.yaml|task_packets\/.*|(logs|summaries)\/task_[^/]*_summary\.yaml)$/;
const CANONICAL = /\/(progress|tasks)\.yaml$/;

/** Files of an older model beside those of this one: nobody could say which of the two is true. */
export function mixedModel(files: readonly string[]): readonly string[] {
  return files.some((path) => CANONICAL.test(path)) ? files.filter((path) => LEGACY.test(path)) : [];
}

const IGNORED = ["prompts/", DOCS_CACHE];

/**
 * The ignore file with the ticket's lines in it; undefined when they are there.
 * @rule T-54 (policy) Two lines of the ignore file are part of the commit and of nobody's task.
 */
export function ignoring(text: string): string | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const missing = IGNORED.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  if (missing.length === 0) return undefined;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`;
}

const SUBJECT_LENGTH = 71;

/**
 * A line that names the ticket and says what was asked; what does not fit is cut at a word, and stands whole below.
 * @rule T-23 (policy) The commit's subject names type, ticket and iteration in fewer than 72 characters, and holds the
 *   run's changes.
 */
export function commitMessage(prompt: CommitPrompt, iteration: number): string {
  return `${subjectOf(prompt, iteration)}\n\n${whyOf(prompt)}\n`;
}

type CommitPrompt = Pick<Prompt, "type" | "jira" | "refined_prompt"> & Partial<Pick<Prompt, "success_criteria">>;

/** What was asked for, and what must hold; where both are the same words, once. */
function whyOf({ jira, refined_prompt, success_criteria = [] }: CommitPrompt): string {
  const request = refined_prompt.trim();
  const criteria = success_criteria.filter((each) => each !== request);
  return [`${jira} asks for this: ${request}`, ...criteria.map((each) => `- ${each}`)].join("\n");
}

function subjectOf(prompt: CommitPrompt, iteration: number): string {
  const type = prompt.type === "feature" ? "feat" : prompt.type;
  const summary = prompt.refined_prompt.trim().split(/(?<=[.!?])\s|\n/)[0] ?? "";
  const subject = `${type}(${prompt.jira}): complete iteration ${iteration} — ${summary}`.replace(/[\s.—-]+$/, "");
  return shortened(subject, SUBJECT_LENGTH);
}
