import type { z } from "zod";
import { yamlText } from "../../core/text/yaml-text.ts";
import { formatListItem, shortenSubject, wrapText } from "../commit-text.ts";
import { Prompt, Report, Tasks } from "./contracts.ts";
import { DOCS_CACHE } from "./files/documents.ts";
import { LogLine } from "./files/log.ts";
import { Progress } from "./files/progress.ts";
import { DocsCache } from "./preparing/docs.ts";

/** Structured files of a ticket, with their paths and schemas. */
export const ARTIFACTS: readonly { readonly name: string; readonly path: string; readonly schema: z.ZodType }[] = [
  { name: "prompt", path: "prompts/<ticket>/prompt.yaml", schema: Prompt },
  { name: "progress", path: "prompts/<ticket>/progress.yaml", schema: Progress },
  { name: "log", path: "prompts/<ticket>/log.jsonl", schema: LogLine },
  { name: "tasks", path: "prompts/<ticket>/iteration_<n>/tasks.yaml", schema: Tasks },
  { name: "review report", path: "prompts/<ticket>/iteration_<n>/review_report.yaml", schema: Report },
  { name: "docs cache", path: DOCS_CACHE, schema: DocsCache },
];

/** @rule T-37 (code) `prompts/<ticket>/` contains the canonical files; none of the legacy names is ever created. */
export const getTicketFolder = (ticket: string): string => `prompts/${ticket}`;
/** Folders count from 0, people from 1. */
export const getIterationFolder = (ticket: string, iteration: number): string =>
  `${getTicketFolder(ticket)}/iteration_${iteration}`;

export const toYaml = yamlText;

/** @rule T-03 (declaration) Legacy files beside canonical ones end the run, which lists them. */
const LEGACY =
  /(^|\/)(startup_context\.yaml|context_compact\.yaml|validation_plan\.yaml|task_packets\/.*|(logs|summaries)\/task_[^/]*_summary\.yaml)$/;
const CANONICAL = /\/(progress|tasks)\.yaml$/;

/** Returns legacy files that exist beside canonical ones, because it is unclear which are current. */
export function findLegacyFiles(files: readonly string[]): readonly string[] {
  return files.some((path) => CANONICAL.test(path)) ? files.filter((path) => LEGACY.test(path)) : [];
}

/**
 * Adds the missing ticket entries to `.gitignore`; undefined if none is missing. `books` is `prompts/`, or the ticket's
 * own folder if the project stores other files there.
 * @rule T-54 (policy) The run's commit adds `prompts/` and `docs/docs_cache_state.yaml` to `.gitignore`; this edit is
 *   exempt from the file check.
 */
export function addIgnoreLines(
  text: string,
  books = ALL_BOOKS,
): { readonly text: string; readonly added: readonly string[] } | undefined {
  const known = new Set(text.split(/\r?\n/).map(normalizeIgnoreLine));
  const isBooksKnown = [ALL_BOOKS, books].some((line) => known.has(normalizeIgnoreLine(line)));
  const added = [...(isBooksKnown ? [] : [books]), ...(known.has(DOCS_CACHE) ? [] : [DOCS_CACHE])];
  if (added.length === 0) return undefined;
  return { text: `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${added.join("\n")}\n`, added };
}

const ALL_BOOKS = "prompts/";

/** `/prompts`, `prompts/` and `prompts/**` ignore the same files. */
const normalizeIgnoreLine = (line: string): string =>
  line
    .trim()
    .replace(/^\//, "")
    .replace(/\/(\*{1,2})?$/, "");

const SUBJECT_LENGTH = 71;

/** Contents of the commit besides the request. */
export type CommitParts = {
  readonly iteration: number;
  /** Descriptions of the finished tasks. */
  readonly done: readonly string[];
  /** Lines added to `.gitignore`. */
  readonly ignored: readonly string[];
};

/**
 * Formats the commit message: a subject with the ticket and the request, then the tasks, the reason, and changes nobody
 * asked for.
 * @rule T-23 (policy) The commit subject is `{type}({ticket}): complete iteration {N} — summary`, shorter than 72
 *   characters; only the run's changes are committed.
 */
export function formatTicketCommit(said: CommitPrompt, { iteration, done, ignored }: CommitParts): string {
  const prompt = { ...said, refined_prompt: removeTicketName(said.jira, said.refined_prompt) };
  const what = done.filter((each) => each.trim() !== "" && each.trim() !== prompt.refined_prompt).map(formatListItem);
  const books =
    ignored.length > 0
      ? [wrapText(`Ticket files are not committed: added to .gitignore ${ignored.join(" and ")}.`)]
      : [];
  return `${[formatSubject(prompt, iteration), ...(what.length > 0 ? [what.join("\n")] : []), formatReason(prompt), ...books].join("\n\n")}\n`;
}

type CommitPrompt = Pick<Prompt, "type" | "jira" | "refined_prompt"> & Partial<Pick<Prompt, "success_criteria">>;

/** Removes the ticket id from the request, because the subject contains it. */
function removeTicketName(jira: string, request: string): string {
  const text = request.trim();
  const [name = "", id] = /^([A-Z]+-\d+)\s*[:–—-]+\s*/.exec(text) ?? [];
  return id === jira && name !== text ? text.slice(name.length) : text;
}

/** Returns the request and its criteria, without repetition. */
function formatReason({ jira, refined_prompt, success_criteria = [] }: CommitPrompt): string {
  const criteria = success_criteria.filter((each) => removeTicketName(jira, each) !== refined_prompt);
  const asked = refined_prompt.split(/\n{2,}/).map((part) => wrapText(part));
  return [
    `${wrapText(`Requested in ${jira}: ${asked[0] ?? ""}`)}`,
    ...asked.slice(1),
    ...criteria.map(formatListItem),
  ].join("\n");
}

function formatSubject(prompt: CommitPrompt, iteration: number): string {
  const type = prompt.type === "feature" ? "feat" : prompt.type;
  const summary = prompt.refined_prompt.split(/(?<=[.!?])\s|\n/)[0] ?? "";
  const subject = `${type}(${prompt.jira}): complete iteration ${iteration} — ${summary}`.replace(/[\s.—-]+$/, "");
  return shortenSubject(subject, SUBJECT_LENGTH);
}
