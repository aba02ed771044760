import type { z } from "zod";
import { yamlText } from "../../core/text/yaml-text.ts";
import { point, shortened, wrapped } from "../commit-text.ts";
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

/**
 * The ignore file with those of the ticket's lines that it lacks, and which these are; undefined when it lacks none.
 * `books` is all of `prompts/`, or the ticket's own folder where the project keeps files of its own there.
 * @rule T-54 (policy) Two lines of the ignore file are part of the commit and of nobody's task.
 */
export function ignoring(
  text: string,
  books = ALL_BOOKS,
): { readonly text: string; readonly added: readonly string[] } | undefined {
  const known = new Set(text.split(/\r?\n/).map(plainPath));
  const isBooksKnown = [ALL_BOOKS, books].some((line) => known.has(plainPath(line)));
  const added = [...(isBooksKnown ? [] : [books]), ...(known.has(DOCS_CACHE) ? [] : [DOCS_CACHE])];
  if (added.length === 0) return undefined;
  return { text: `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${added.join("\n")}\n`, added };
}

const ALL_BOOKS = "prompts/";

/** `/prompts`, `prompts/` and `prompts/**` keep the same out. */
const plainPath = (line: string): string =>
  line
    .trim()
    .replace(/^\//, "")
    .replace(/\/(\*{1,2})?$/, "");

const SUBJECT_LENGTH = 71;

/** What the commit holds beside what was asked for. */
export type Made = {
  readonly iteration: number;
  /** What was done, task by task. */
  readonly done: readonly string[];
  /** Lines that the ignore file got. */
  readonly ignored: readonly string[];
};

/**
 * A line that names the ticket and says what was asked; below it what was done, why, and what nobody asked for.
 * @rule T-23 (policy) The commit's subject names type, ticket and iteration in fewer than 72 characters, and holds the
 *   run's changes.
 */
export function commitMessage(said: CommitPrompt, { iteration, done, ignored }: Made): string {
  const prompt = { ...said, refined_prompt: withoutName(said.jira, said.refined_prompt) };
  const what = done.filter((each) => each.trim() !== "" && each.trim() !== prompt.refined_prompt).map(point);
  const books =
    ignored.length > 0
      ? [wrapped(`The books of tickets stay out of commits: .gitignore has ${ignored.join(" and ")}.`)]
      : [];
  return `${[subjectOf(prompt, iteration), ...(what.length > 0 ? [what.join("\n")] : []), whyOf(prompt), ...books].join("\n\n")}\n`;
}

type CommitPrompt = Pick<Prompt, "type" | "jira" | "refined_prompt"> & Partial<Pick<Prompt, "success_criteria">>;

/** The message names the ticket itself: a request that begins with its name would have it there twice. */
function withoutName(jira: string, request: string): string {
  const text = request.trim();
  const [name = "", id] = /^([A-Z]+-\d+)\s*[:–—-]+\s*/.exec(text) ?? [];
  return id === jira && name !== text ? text.slice(name.length) : text;
}

/** What was asked for, and what must hold; where both are the same words, once. */
function whyOf({ jira, refined_prompt, success_criteria = [] }: CommitPrompt): string {
  const criteria = success_criteria.filter((each) => withoutName(jira, each) !== refined_prompt);
  const asked = refined_prompt.split(/\n{2,}/).map((part) => wrapped(part));
  return [`${wrapped(`${jira} asks for this: ${asked[0] ?? ""}`)}`, ...asked.slice(1), ...criteria.map(point)].join(
    "\n",
  );
}

function subjectOf(prompt: CommitPrompt, iteration: number): string {
  const type = prompt.type === "feature" ? "feat" : prompt.type;
  const summary = prompt.refined_prompt.split(/(?<=[.!?])\s|\n/)[0] ?? "";
  const subject = `${type}(${prompt.jira}): complete iteration ${iteration} — ${summary}`.replace(/[\s.—-]+$/, "");
  return shortened(subject, SUBJECT_LENGTH);
}
