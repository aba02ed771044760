import type { Outcome } from "./outcome.ts";

/**
 * An entry of the log: in the project's own form where it has one, as a list otherwise.
 * @rule P-78 (declaration) An outcome says what was planned and done, what each reviewer came to, how the review
 *   converged, and what was learned.
 */
export function outcomeText(outcome: Outcome, template?: string): string {
  if (template !== undefined) return filledForm(outcome, template);
  const reviewers = Object.entries(outcome.reviewers).map(([name, result]) => `${name} ${result}`);
  return [
    `## ${outcome.title}`,
    "",
    `- Plan: ${outcome.plan}`,
    `- Date: ${outcome.date}`,
    `- Tier: ${outcome.tier}`,
    `- Phases: ${outcome.completed} of ${outcome.planned}`,
    `- Reviewers: ${reviewers.join(", ")}`,
    `- Iterations: ${outcome.iterations}`,
    `- Convergence: ${outcome.convergence}`,
    `- Status: ${outcome.status}`,
    `- CodeReviewer false-positive rate: ${outcome.falsePositives}`,
    `- Lessons: ${outcome.lessons.join("; ") || "none"}`,
    "",
  ].join("\n");
}

/**
 * Filled in where the form asks for what is known: lines with a bold label, rows of a table by the agent's name, the
 * list of lessons. Everything else in it stays as it is.
 */
function filledForm(outcome: Outcome, template: string): string {
  const lines = formIn(template)
    .split("\n")
    .map((line) => filled(line, outcome));
  return `${withLessons(lines, outcome.lessons).join("\n").trim()}\n`;
}

/** Explanations stand before the entry, what concerns the whole log behind it. */
function formIn(template: string): string {
  const lines = template.split("\n");
  const from = lines.findIndex((line) => /^#+\s+entry\b/i.test(line));
  const rest = from === -1 ? lines : lines.slice(from);
  const to = rest.findIndex((line) => /^(?:---+|<!--.*)$/.test(line.trim()));
  return (to === -1 ? rest : rest.slice(0, to)).join("\n");
}

type Value = (outcome: Outcome) => string;

/** By what a label says, whatever else stands in it. */
const VALUES: readonly (readonly [RegExp, Value])[] = [
  [/false.positive/i, ({ falsePositives }) => falsePositives],
  [/plan/i, ({ plan }) => plan],
  [/title|task/i, ({ title }) => title],
  [/date/i, ({ date }) => date],
  [/tier/i, ({ tier }) => tier],
  [/phases/i, ({ planned, completed }) => `${planned} / ${completed}`],
  [/iterations/i, ({ iterations }) => iterations],
  [/convergence/i, ({ convergence }) => convergence],
  [/status/i, ({ status }) => status],
];

function filled(line: string, outcome: Outcome): string {
  const [, label] = /^\*\*([^*]+?):?\*\*/.exec(line) ?? [];
  const value = label && VALUES.find(([pattern]) => pattern.test(label))?.[1];
  if (value) return `**${label}:** ${value(outcome)}${line.endsWith("  ") ? "  " : ""}`;
  const [, agent = ""] = /^\|\s*(\w+?)(?:-subagent)?\s*\|/.exec(line) ?? [];
  const result = outcome.reviewers[agent];
  return result === undefined ? line : `| ${line.split("|")[1]?.trim()} | ${result} | |`;
}

/** Under the heading that asks for them, in the place of the form's own examples. */
function withLessons(lines: readonly string[], lessons: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => /^#+\s.*lessons/i.test(line));
  const said = lessons.length > 0 ? lessons.map((lesson, index) => `${index + 1}. ${lesson}`) : ["None."];
  if (at === -1) return [...lines, "", "### Lessons Learned", "", ...said];
  const end = lines.findIndex((line, index) => index > at && line.startsWith("#"));
  return [...lines.slice(0, at + 1), "", ...said, ...(end === -1 ? [] : ["", ...lines.slice(end)])];
}
