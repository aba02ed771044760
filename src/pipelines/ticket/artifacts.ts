import type { z } from "zod";
import { yamlText } from "../../core/yaml-text.ts";
import { Prompt, Report, Tasks } from "./contracts.ts";
import { DocsCache } from "./docs.ts";
import { DOCS_CACHE } from "./documents.ts";
import { LogLine } from "./log.ts";
import { Progress } from "./progress.ts";

/** Each structured file of a ticket, where people find it, and what it holds. */
export const ARTIFACTS: readonly { readonly name: string; readonly path: string; readonly schema: z.ZodType }[] = [
  { name: "prompt", path: "prompts/<ticket>/prompt.yaml", schema: Prompt },
  { name: "progress", path: "prompts/<ticket>/progress.yaml", schema: Progress },
  { name: "log", path: "prompts/<ticket>/log.jsonl", schema: LogLine },
  { name: "tasks", path: "prompts/<ticket>/iteration_<n>/tasks.yaml", schema: Tasks },
  { name: "review report", path: "prompts/<ticket>/iteration_<n>/review_report.yaml", schema: Report },
  { name: "docs cache", path: DOCS_CACHE, schema: DocsCache },
];

export const folderOf = (ticket: string): string => `prompts/${ticket}`;
/** Folders count from 0, people from 1. */
export const iterationFolder = (ticket: string, iteration: number): string =>
  `${folderOf(ticket)}/iteration_${iteration}`;

export const yamlOf = yamlText;

const LEGACY =
  /(^|\/)(startup_context\.yaml|context_compact\.yaml|validation_plan\.yaml|task_packets\/.*|(logs|summaries)\/task_[^/]*_summary\.yaml)$/;
const CANONICAL = /\/(progress|tasks)\.yaml$/;

/** Files of an older model beside those of this one: nobody could say which of the two is true. */
export function mixedModel(files: readonly string[]): readonly string[] {
  return files.some((path) => CANONICAL.test(path)) ? files.filter((path) => LEGACY.test(path)) : [];
}

const IGNORED = ["prompts/", DOCS_CACHE];

/** The ignore file with the ticket's lines in it; undefined when they are there. */
export function ignoring(text: string): string | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const missing = IGNORED.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  if (missing.length === 0) return undefined;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`;
}

const SUBJECT_LENGTH = 71;

/** One line that names the ticket; what does not fit is cut at a word. */
export function commitMessage(prompt: Pick<Prompt, "type" | "jira" | "refined_prompt">, iteration: number): string {
  const type = prompt.type === "feature" ? "feat" : prompt.type;
  const summary = prompt.refined_prompt.split("\n")[0]?.trim() ?? "";
  const subject = `${type}(${prompt.jira}): complete iteration ${iteration} — ${summary}`;
  if (subject.length <= SUBJECT_LENGTH) return subject.replace(/[\s.—-]+$/, "");
  const cut = subject.slice(0, SUBJECT_LENGTH);
  return cut.slice(0, cut.lastIndexOf(" ")).replace(/[\s,;:.—-]+$/, "");
}
