import type { Outcome } from "./outcome.ts";

/**
 * Formats an entry: in the project's template if it has one, otherwise as a list.
 * @rule P-78 (declaration) A session outcome contains what was planned and completed, the result per reviewer, the
 *   convergence of the review, and the lessons.
 */
export function formatOutcomeEntry(outcome: Outcome, template?: string): string {
  if (template !== undefined) return fillTemplate(outcome, template);
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
 * Fills the template: lines with a bold label, table rows by agent name, and the list of lessons. Everything else stays
 * unchanged.
 */
function fillTemplate(outcome: Outcome, template: string): string {
  const lines = extractEntry(template)
    .split("\n")
    .map((line) => fillLine(line, outcome));
  return `${insertLessons(lines, outcome.lessons).join("\n").trim()}\n`;
}

/** Cuts the entry out of the template: explanations stand before it, remarks about the whole log after it. */
function extractEntry(template: string): string {
  const lines = template.split("\n");
  const from = lines.findIndex((line) => /^#+\s+entry\b/i.test(line));
  const rest = from === -1 ? lines : lines.slice(from);
  const to = rest.findIndex((line) => /^(?:---+|<!--.*)$/.test(line.trim()));
  return (to === -1 ? rest : rest.slice(0, to)).join("\n");
}

type OutcomeValue = (outcome: Outcome) => string;

/** Values by a word in the label. */
const VALUES: readonly (readonly [RegExp, OutcomeValue])[] = [
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

function fillLine(line: string, outcome: Outcome): string {
  const [, label] = /^\*\*([^*]+?):?\*\*/.exec(line) ?? [];
  const value = label && VALUES.find(([pattern]) => pattern.test(label))?.[1];
  if (value) return `**${label}:** ${value(outcome)}${line.endsWith("  ") ? "  " : ""}`;
  const [, agent = ""] = /^\|\s*(\w+?)(?:-subagent)?\s*\|/.exec(line) ?? [];
  const result = outcome.reviewers[agent];
  return result === undefined ? line : `| ${line.split("|")[1]?.trim()} | ${result} | |`;
}

/** Replaces the examples below the heading for lessons. */
function insertLessons(lines: readonly string[], lessons: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => /^#+\s.*lessons/i.test(line));
  const items = lessons.length > 0 ? lessons.map((lesson, index) => `${index + 1}. ${lesson}`) : ["None."];
  if (at === -1) return [...lines, "", "### Lessons Learned", "", ...items];
  const end = lines.findIndex((line, index) => index > at && line.startsWith("#"));
  return [...lines.slice(0, at + 1), "", ...items, ...(end === -1 ? [] : ["", ...lines.slice(end)])];
}
