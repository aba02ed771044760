import type { CategorizedFinding } from "./lenient-schema.ts";

/** Formats an agent's answer as Markdown: a section per field, a line per entry. */
export function markdownOf(title: string, answer: object): string {
  const { status: _, by, error_class: __, artifact_evaluations: ___, ...fields } = answer as Record<string, unknown>;
  const sections = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return [
    `# ${title}`,
    ...(typeof by === "string" ? [`By ${by}.`] : []),
    ...sections.map(([name, value]) => `## ${heading(name)}\n\n${body(value)}`),
    "",
  ].join("\n\n");
}

type Review = {
  readonly by: string;
  readonly scope: string;
  readonly round: number;
  readonly findings: readonly CategorizedFinding[];
};

export function findingsOf({ by, scope, round, findings }: Review): string {
  const lines = findings.map(({ severity, category, message, files }) => {
    const where = files && files.length > 0 ? ` (${files.join(", ")})` : "";
    return `- **${severity}**${category ? `, ${category}` : ""}: ${oneLine(message)}${where}`;
  });
  const list = lines.length > 0 ? lines.join("\n") : "Nothing was found.";
  return `# ${heading(scope)} review, round ${round}: ${by}\n\n${list}\n`;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

function heading(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function body(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => `- ${entryOf(entry)}`).join("\n");
  return typeof value === "object" && value !== null ? entryOf(value) : String(value);
}

function entryOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(entryOf).join(", ");
  if (typeof value !== "object" || value === null) return oneLine(String(value));
  const fields = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
  return fields.map(([name, inner]) => `${heading(name)}: ${entryOf(inner)}`).join("; ");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
