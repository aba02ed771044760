import type { CategorizedFinding } from "./lenient-schema.ts";

/** Formats an agent's answer as Markdown: a section per field, a line per entry. */
export function formatMarkdown(title: string, answer: object): string {
  const { status: _, by, error_class: __, artifact_evaluations: ___, ...fields } = answer as Record<string, unknown>;
  const sections = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return [
    `# ${title}`,
    ...(typeof by === "string" ? [`By ${by}.`] : []),
    ...sections.map(([name, value]) => `## ${formatHeading(name)}\n\n${formatBody(value)}`),
    "",
  ].join("\n\n");
}

type ReviewFindings = {
  readonly by: string;
  readonly scope: string;
  readonly round: number;
  readonly findings: readonly CategorizedFinding[];
};

export function formatReviewFindings({ by, scope, round, findings }: ReviewFindings): string {
  const lines = findings.map(({ severity, category, message, files }) => {
    const where = files && files.length > 0 ? ` (${files.join(", ")})` : "";
    return `- **${severity}**${category ? `, ${category}` : ""}: ${collapseWhitespace(message)}${where}`;
  });
  const list = lines.length > 0 ? lines.join("\n") : "Nothing was found.";
  return `# ${formatHeading(scope)} review, round ${round}: ${by}\n\n${list}\n`;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

function formatHeading(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function formatBody(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => `- ${formatEntry(entry)}`).join("\n");
  return typeof value === "object" && value !== null ? formatEntry(value) : String(value);
}

function formatEntry(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatEntry).join(", ");
  if (typeof value !== "object" || value === null) return collapseWhitespace(String(value));
  const fields = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
  return fields.map(([name, inner]) => `${formatHeading(name)}: ${formatEntry(inner)}`).join("; ");
}

const collapseWhitespace = (text: string): string => text.replace(/\s+/g, " ").trim();
