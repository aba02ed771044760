import type { z } from "zod";

/** One problem of a contract, as shown to people and in the prompt of the next attempt. */
export type Problem = {
  readonly field: string;
  readonly expected: string;
  readonly found: string;
  /** Line of the contract, counted from 1, and its text, if the text itself cannot be read. */
  readonly line?: number;
  readonly excerpt?: string;
  /** Advice for a readable answer. */
  readonly advice?: string;
};

/** Field name for a problem of the whole contract. */
export const WHOLE = "contract";

/** More problems are not useful, and listing all of a hostile answer would take time. */
const MOST_PROBLEMS = 50;
const LONGEST_FOUND = 80;

export function problemsOf(error: z.ZodError, value: unknown): readonly Problem[] {
  return error.issues
    .slice(0, MOST_PROBLEMS)
    .flatMap((issue) => toProblems(issue, value))
    .slice(0, MOST_PROBLEMS);
}

/** The form's own words instead of an answer. */
export const UNFILLED = { expected: "an answer", advice: "fill it in, or omit the field if it is optional" };
export const describePlaceholder = (text: string): string => `the form's own ${show(text)}`;

/** Formats a problem as one clause. */
export function formatProblem({ field, expected, found, line, excerpt, advice }: Problem): string {
  const where = line === undefined ? "" : ` in line ${line} (${excerpt})`;
  return `${field} should be ${expected}, found ${found}${where}${advice === undefined ? "" : `: ${advice}`}`;
}

/** Returns the line of a text that contains an offset. */
export function locateOffset(text: string, offset: number): Required<Pick<Problem, "line" | "excerpt">> {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", start);
  const excerpt = cut(text.slice(start, end < 0 ? text.length : end).trim());
  return { line: before.split("\n").length, excerpt };
}

/** Describes a found value on one line: long texts are truncated, structures are described. */
export function show(found: unknown): string {
  if (found === undefined) return "nothing";
  if (typeof found === "string") return JSON.stringify(cut(found));
  if (Array.isArray(found)) return found.length === 1 ? "a list of 1 item" : `a list of ${found.length} items`;
  if (typeof found === "object" && found !== null)
    return cut(`an object with ${Object.keys(found).join(", ") || "no fields"}`);
  return String(found);
}

export function cut(text: string): string {
  return text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}…` : text;
}

function toProblems(issue: z.core.$ZodIssue, value: unknown): readonly Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, MOST_PROBLEMS).map((key) => {
      const path = [...issue.path, key];
      return { field: formatFieldPath(path), expected: "no such field", found: show(at(value, path)) };
    });
  }
  return [
    { field: formatFieldPath(issue.path), expected: describeExpectation(issue), found: show(at(value, issue.path)) },
  ];
}

function describeExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return issue.expected === "nonoptional" ? "a value" : issue.expected;
  if (issue.code === "invalid_value") return issue.values.map(String).join(" | ");
  if (issue.code === "invalid_union") return describeUnion(issue) || issue.message;
  if (issue.code === "too_small") return `at least ${issue.minimum}${getSizeUnit(issue.origin)}`;
  if (issue.code === "too_big") return `at most ${issue.maximum}${getSizeUnit(issue.origin)}`;
  if (issue.code === "invalid_format") return `the form ${issue.format}`;
  return issue.message;
}

/** Describes what each alternative requires at this position. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  const asked = issue.errors.flatMap((errors) =>
    errors.slice(0, 1).map((first) => `${formatPathPrefix(first.path)}${describeExpectation(first)}`),
  );
  return [...new Set(asked)].join(" or ");
}

function formatPathPrefix(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "" : `${formatFieldPath(path)}: `;
}

function getSizeUnit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" || origin === "set" ? " items" : "";
}

function formatFieldPath(path: readonly PropertyKey[]): string {
  let field = "";
  for (const part of path) {
    if (typeof part === "number") field += `[${part}]`;
    else field += field === "" ? String(part) : `.${String(part)}`;
  }
  return field || WHOLE;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const part of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, part)) return undefined;
    here = Reflect.get(here, part);
  }
  return here;
}
