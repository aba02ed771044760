import type { Evidence } from "../../../core/authoring/verbs.ts";
import { shortenSubject } from "../../commit-text.ts";
import { formatCommandEvidence } from "../../evidence-line.ts";
import type { Progress } from "../progress.ts";
import type { ReviewVerdict } from "../review/code-review.ts";

const MAX_FINDINGS_LENGTH = 200;

/** A gate's refusal that a person overruled. */
export type OverruledGate = { readonly by: string; readonly findings: readonly string[] };

export type PassedWork = {
  readonly progress: Pick<Progress, "done">;
  readonly evidence: Pick<Evidence, "checks">;
  /** The policy or person that accepted code without a build. */
  readonly unbuiltBy?: string | undefined;
  readonly final?: ReviewVerdict | undefined;
  readonly overruled?: OverruledGate | undefined;
};

/** Lines for the commit message: checks, reviews, and what a person accepted. */
export function formatGateLines({ progress, evidence, unbuiltBy, final, overruled }: PassedWork): readonly string[] {
  return [
    formatCommandEvidence(evidence),
    ...(unbuiltBy === undefined ? [] : [`no build, accepted by ${unbuiltBy}`]),
    ...formatReviewLines(progress),
    ...(final ? [formatFinalReviewLine(final)] : []),
    ...(overruled
      ? [`accepted by ${overruled.by} despite: ${shortenSubject(overruled.findings.join(", "), MAX_FINDINGS_LENGTH)}`]
      : []),
  ];
}

function formatReviewLines({ done }: Pick<Progress, "done">): readonly string[] {
  const last = [...done.values()].flatMap(({ phase, verdicts }) =>
    verdicts.slice(-1).map((verdict) => ({ title: phase.title, verdict })),
  );
  const reviewedCount = last.filter(({ verdict }) => verdict.accepted_by === undefined).length;
  const unreviewed = last.filter(({ verdict }) => verdict.accepted_by !== undefined);
  return [
    ...(reviewedCount > 0
      ? [`code review${unreviewed.length > 0 ? ` of ${reviewedCount} of ${last.length} parts` : ""} passed`]
      : []),
    ...unreviewed.map(({ title, verdict }) => `"${title}" not reviewed, accepted by ${verdict.accepted_by}`),
  ];
}

function formatFinalReviewLine({ accepted_by: by }: ReviewVerdict): string {
  return by === undefined ? "final review passed" : `no final review, accepted by ${by}`;
}
