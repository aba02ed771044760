import { removeFencedLines } from "../building/findings.ts";
import { MOST_NAME, parseTaskIds } from "./task-names.ts";

/** A task as listed in `plan.md`. */
export type ListedTask = {
  readonly id: string;
  readonly depends_on: readonly string[];
  /** True if the entry is certainly a task, even without a file. Other entries are tasks only if they have one. */
  readonly isTask: boolean;
};
export type ListedWave = { readonly title: string; readonly tasks: readonly ListedTask[] };

const TITLE = "(?:execution\\s+)?wave(?:[\\s#:_-]*\\d+|[\\s#:_-]+[a-z])\\b(.*)$";
const HEADING = new RegExp(`^(?:#{1,6}\\s+[\\d.]*\\s*|\\*\\*\\s*)+${TITLE}`, "i");
const SENTENCE = new RegExp(`^\\s*(?:[-*+]\\s+)?\\**${TITLE}`, "i");
const LINE = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?[`*]*(?:tasks\/)?([\w.-]+)(.*)$/i;

/**
 * Parses the waves: `### Wave 1 (parallel)` above a list or table; otherwise an index with a wave column, or lines such
 * as `- Wave 1: 01-greet, 02-docs`.
 */
export function parseWaves(plan: string): readonly ListedWave[] {
  const sections = splitSections(plan).flatMap(({ head, body }): ListedWave[] => {
    const [, rest] = HEADING.exec(head) ?? [];
    return rest === undefined
      ? []
      : [{ title: parseTitle(head), tasks: [...parseInlineTasks(rest), ...parseListedTasks(body)] }];
  });
  if (sections.length > 0) return sections;
  const index = parseTaskIndex(plan);
  if (index.length > 0) return index;
  return splitPlainLines(plan).flatMap((line): ListedWave[] => {
    const [, rest] = SENTENCE.exec(line) ?? [];
    return rest === undefined ? [] : [{ title: parseTitle(line), tasks: parseInlineTasks(rest) }];
  });
}

/** Collapses blanks: patterns with adjacent blanks would backtrack through every split. */
const splitPlainLines = (plan: string): string[] =>
  removeFencedLines(plan).map((line) => line.replace(/\s+/g, " ").trimEnd());

const MOST_TITLE = 100;
const parseTitle = (line: string): string => line.slice(0, MOST_TITLE).replace(/^[#*+\s-]+|[*\s:]+$/g, "");

type PlanSection = { readonly head: string; readonly body: string[] };

function splitSections(plan: string): readonly PlanSection[] {
  const sections: PlanSection[] = [];
  for (const line of splitPlainLines(plan)) {
    if (HEADING.test(line) || /^#{1,6}\s/.test(line)) sections.push({ head: line, body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections;
}

function parseListedTasks(lines: readonly string[]): ListedTask[] {
  let columns: Columns | undefined;
  return lines.flatMap((line) => {
    columns = isRow(line) ? (columns ?? parseColumns(line)) : undefined;
    return (columns ? parseRow(line, columns) : parseListItem(line)) ?? [];
  });
}

/** Parses the ids after a colon. In `4 tasks`, 4 is not a task. */
function parseInlineTasks(rest: string): ListedTask[] {
  const ids = rest.includes(":") ? parseTaskIds(rest.replace(/^[^:]*:[*\s]*/, "")) : [];
  return ids.filter((id) => !/^[1-9]\d*$/.test(id)).map((id) => ({ id, depends_on: [], isTask: false }));
}

/** Parses a list item. Other lists may follow a wave, so a task needs a number or a dependency. */
function parseListItem(line: string): ListedTask | undefined {
  const [, name, rest = ""] = LINE.exec(line) ?? [];
  if (name === undefined) return undefined;
  const [, said] = /depends[_ ]on[`*_]*\s*:?\s*([^)]*)/i.exec(rest) ?? [];
  const id = name.replace(/\.md$/, "");
  // In `12 tasks in all`, 12 is not a task.
  if (/^\d+$/.test(id) && said === undefined && !/^[`*]*\s*(?:$|[:—–(.-])/.test(rest)) return undefined;
  const isTask = said !== undefined || /^(?:\d+[-_]|task[-_]?\d)/i.test(id);
  return { id, depends_on: parseTaskIds(said ?? ""), isTask };
}

/** Column positions of a table; -1 if the column is missing. */
type Columns = { readonly task: readonly number[]; readonly needs: number; readonly wave: number };

function parseColumns(line: string): Columns | undefined {
  const titles = splitCells(line).map((cell) => cell.toLowerCase());
  const task = ["task id", "id", "task", "#"].map((title) => titles.indexOf(title)).filter((at) => at >= 0);
  const needs = titles.findIndex((title) => /^dep(?:s|endenc(?:y|ies)|ends[_ ]on)$/.test(title));
  return task.length > 0 ? { task, needs, wave: titles.indexOf("wave") } : undefined;
}

function parseRow(line: string, { task, needs }: Columns): ListedTask | undefined {
  const cells = splitCells(line);
  const names = task.map((at) => cells[at]?.replace(/\.md$/, "") ?? "");
  const id = names.find((name) => name.length <= MOST_NAME && /^(?=.*\d)[\w.-]+$/.test(name));
  return id === undefined ? undefined : { id, depends_on: parseTaskIds(cells[needs] ?? ""), isTask: true };
}

/** Parses a task index with a wave column. */
function parseTaskIndex(plan: string): ListedWave[] {
  const waves = new Map<number, ListedTask[]>();
  let columns: Columns | undefined;
  for (const line of splitPlainLines(plan)) {
    columns = isRow(line) ? (columns ?? parseColumns(line)) : undefined;
    const wave = Number(splitCells(line)[columns?.wave ?? -1] || Number.NaN);
    const task = columns && Number.isInteger(wave) ? parseRow(line, columns) : undefined;
    if (!task) continue;
    const tasks = waves.get(wave) ?? [];
    tasks.push(task);
    waves.set(wave, tasks);
  }
  const inOrder = [...waves].toSorted(([one], [other]) => one - other);
  return inOrder.map(([wave, tasks]) => ({ title: `Wave ${wave}`, tasks }));
}

const isRow = (line: string): boolean => line.trimStart().startsWith("|");

const splitCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.replace(/[`*]/g, "").trim());
