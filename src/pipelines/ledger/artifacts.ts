import { stringify } from "yaml";
import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { Evidence } from "../../core/verbs.ts";

/** Where the files of a feature live. */
export const folderOf = (slug: string): string => `docs/feature/${slug}`;

export const yamlOf = (value: unknown): string => stringify(value);

export type Bundle = {
  readonly slug: string;
  readonly run: string;
  readonly confidence: "high" | "medium" | "low";
  readonly whole: Pick<Evidence, "checks">;
  readonly review: Pick<Decision, "passed" | "findings">;
  readonly changed: readonly string[];
  readonly issues: readonly Finding[];
};

/** Written by the engine, so that it exists whether or not the knowledge agent had anything to say. */
export function bundleOf(bundle: Bundle): string {
  const checks = bundle.whole.checks.map((check) => `- ${check.name}: ${check.passed ? "passed" : "failed"}`);
  const issues = bundle.issues.map(
    (issue) => `- ${issue.severity}: ${issue.message}${issue.by ? ` (${issue.by})` : ""}`,
  );
  return [
    `# Evidence for ${bundle.slug}`,
    `Confidence: ${bundle.confidence.slice(0, 1).toUpperCase()}${bundle.confidence.slice(1)}`,
    section("Verification", checks),
    section("Review", [bundle.review.passed ? "- passed" : "- open findings remain"]),
    section(
      "Blast radius",
      bundle.changed.map((path) => `- ${path}`),
    ),
    section("Known issues", issues),
    section("Rollback", [`- \`signalbox revert ${bundle.run}\``]),
    "",
  ].join("\n\n");
}

const section = (title: string, lines: readonly string[]): string =>
  `## ${title}\n\n${lines.length > 0 ? lines.join("\n") : "- none"}`;
