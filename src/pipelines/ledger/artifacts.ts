import type { Finding } from "../../core/authoring/finding.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import { yamlText } from "../../core/text/yaml-text.ts";
import { collapseWhitespace } from "../commit-text.ts";
import { formatEvidence } from "../evidence-line.ts";
import type { JudgedTask } from "./building/wave.ts";
import { mergeDuplicates } from "./handover/duplicates.ts";
import { type Confidence, listObjections, type ReviewerVerdict } from "./rules.ts";

/**
 * Returns the folder of a feature's files.
 * @rule L-33 (declaration) Every output has a fixed path below `docs/feature/<slug>/`; `decisions.yaml` is append-only.
 */
export const getFeatureFolder = (slug: string): string => `docs/feature/${slug}`;

export const toYaml = yamlText;

export type EvidenceBundle = {
  readonly slug: string;
  readonly run: string;
  readonly base: string;
  readonly confidence: Confidence;
  readonly tasks: readonly Pick<JudgedTask, "task" | "evidence">[];
  readonly whole: Pick<Evidence, "checks">;
  readonly reviews: Readonly<Record<"design" | "code", readonly ReviewerVerdict[]>>;
  readonly changed: readonly string[];
  readonly issues: readonly Finding[];
  /** Rules that a person chose to skip. */
  readonly leftOut: readonly string[];
};

/**
 * Formats the evidence bundle. The engine writes it, so it does not depend on the knowledge agent.
 * @rule L-21 (code) The evidence bundle lists confidence, verification, reviews, changed files, known issues and a
 *   rollback command that works.
 */
export function formatEvidenceBundle(bundle: EvidenceBundle): string {
  const { slug, run, base, confidence, tasks, whole, reviews, changed, issues, leftOut } = bundle;
  const verification = [
    ...tasks.map(({ task, evidence }) => `- ${task.id}: ${formatEvidence(evidence)}`),
    `- everything together: ${formatEvidence(whole)}`,
  ];
  const seen = `of a tree with this evidence: ${formatEvidence(whole)}`;
  const passed = mergeDuplicates(reviews.design.flatMap(listObjections));
  const verdicts = [
    ...reviews.design.map(formatVerdict("design")),
    ...passed.map((finding) => `- design, found and planned with: ${formatIssue(finding)}`),
    ...reviews.code.map(formatVerdict("code")),
  ];
  if (reviews.code.length > 0) verdicts.push(`- code verdicts speak ${seen}`);
  const known = issues.map((issue) => `- ${formatIssue(issue)}`);
  return [
    `# Evidence for ${slug}`,
    `Run ${run}, from ${base}.`,
    `Confidence: ${confidence.slice(0, 1).toUpperCase()}${confidence.slice(1)}`,
    formatSection("Verification", verification),
    formatSection("Reviews", verdicts),
    formatSection(
      "Blast radius",
      changed.map((path) => `- ${path}`),
    ),
    formatSection("Known issues", known),
    ...(leftOut.length > 0
      ? [
          formatSection(
            "Left out",
            leftOut.map((rule) => `- ${rule}`),
          ),
        ]
      : []),
    formatSection("Rollback", [`    ${createRollbackCommand({ run, base })}`]),
    "",
  ].join("\n\n");
}

export const formatIssue = ({ severity, message, by }: Finding): string =>
  `${severity}: ${collapseWhitespace(message)}${by ? ` (${by})` : ""}`;

/**
 * Returns a command that reverts exactly the run's own commits, newest first. It changes nothing on a branch without
 * them.
 * @rule L-46 (code) The rollback command names the recorded commit id.
 */
export function createRollbackCommand({ run, base, commit }: { run: string; base: string; commit?: string }): string {
  const own =
    commit === undefined
      ? `git rev-list --no-merges --fixed-strings --grep='Signalbox-Run: ${run}' ${base}..HEAD`
      : `git rev-list ${base}..HEAD | grep -x ${commit}`;
  return `${own} | xargs -r git revert --no-edit`;
}

/** Appends this run's decisions; earlier ones stay byte for byte. */
export function appendDecisions(before: string, entries: readonly object[]): string {
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  return `${before}${gap}${toYaml(entries)}`;
}

const formatVerdict =
  (scope: string) =>
  ({ by, verdicts }: ReviewerVerdict): string =>
    `- ${scope}, ${by}: ${Object.entries(verdicts)
      .map(([category, verdict]) => `${category} ${verdict}`)
      .join(", ")}`;

const formatSection = (title: string, lines: readonly string[]): string =>
  `## ${title}\n\n${lines.length > 0 ? lines.join("\n") : "- none"}`;
