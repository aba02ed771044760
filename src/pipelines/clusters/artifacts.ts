import type { z } from "zod";
import type { Finding } from "../../core/authoring/finding.ts";
import { TaskFront } from "./planning/task-files.ts";
import type { Aggregate, ClusterMember } from "./rules.ts";

/** Returns the folder of a feature's files. */
export const getFeatureFolder = (slug: string): string => `docs/feature/${slug}`;

/**
 * @rule C-06 (declaration) Research runs four researchers in parallel, one per focus; a fifth dispatch joins their
 *   reports into `analysis.md`.
 */
export const FOCUSES = ["architecture", "impact", "dependencies", "patterns"] as const;
export type Focus = (typeof FOCUSES)[number];

/**
 * Documents of a feature. The planner names the task files.
 * @rule C-29 (declaration) The documents of a feature have fixed paths in its folder.
 */
export const DOCUMENTS = {
  request: "initial-request.md",
  memory: "memory.md",
  study: (focus: string) => `research/${focus}.md`,
  analysis: "analysis.md",
  feature: "feature.md",
  design: "design.md",
  criticism: (critic: string) => `ct-review/${critic}.md`,
  criticisms: "design_critical_review.md",
  plan: "plan.md",
  tasks: "tasks/*.md",
  verification: (verifier: string) => `verification/${verifier}.md`,
  verifications: "verifier.md",
  review: (reviewer: string) => `review/${reviewer}.md`,
  suggestions: "review/knowledge-suggestions.md",
  reviews: "review.md",
  decisions: "decisions.md",
} as const;

/** Structured parts of agents' files that the engine reads. */
export const ARTIFACTS: readonly { readonly name: string; readonly path: string; readonly schema: z.ZodType }[] = [
  { name: "a task's front matter", path: `${getFeatureFolder("<slug>")}/tasks/<task>.md`, schema: TaskFront },
];

const OWN = "## Decision of the engine";

export type AggregateVerdict = {
  readonly aggregate: Aggregate;
  /** Status that the aggregator returned; undefined if no aggregator was asked. */
  readonly said: ClusterMember["status"] | undefined;
  readonly members: readonly ClusterMember[];
  readonly findings: readonly Finding[];
  readonly facts?: readonly string[];
};

/** Appends the result of the cluster's table to the aggregator's document. */
export function withVerdict(
  text: string,
  { aggregate, said, members, findings, facts = [] }: AggregateVerdict,
): string {
  const { status, why, gap } = aggregate;
  const before = text.split(`\n${OWN}`)[0]?.trimEnd() ?? "";
  return [
    before,
    OWN,
    [
      `- Result: ${status}; ${said === undefined ? "no aggregator was asked" : `the aggregator said ${said === "missing" ? "nothing" : said}`}`,
      ...(why ? [`- Because: ${why}`] : []),
      ...(gap ? [`- Gap: ${gap} gave no result`] : []),
      ...facts.map((fact) => `- ${fact}`),
      ...members.map((member) => `- ${member.name}: ${member.status}`),
    ].join("\n"),
    ...(findings.length > 0 ? [`### Open findings\n\n${findings.map(formatFindingLine).join("\n")}`] : []),
    "",
  ]
    .join("\n\n")
    .trimStart();
}

/**
 * Returns the new text if it begins with the old one, otherwise undefined.
 * @rule C-24 (policy) Knowledge suggestions are never applied, and `decisions.md` is append-only.
 */
export function acceptAppendOnly(before: string, after: string): string | undefined {
  return after.startsWith(before.trimEnd()) ? after : undefined;
}

function formatFindingLine({ severity, message, by }: Finding): string {
  return `- [${severity.slice(0, 1).toUpperCase()}${severity.slice(1)}] ${message}${by ? ` (${by})` : ""}`;
}
