import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { WorkKind } from "../../work-kind.ts";
import { formatCommitSubject } from "../closing/commit-message.ts";
import { writeNotes } from "../closing/notes.ts";
import { promoteFacts } from "../closing/repo-memory.ts";
import { getPhaseKind } from "../planning/plan-rules.ts";
import type { Progress } from "../progress.ts";
import { formatVerdictWord } from "../review/code-review.ts";
import type { PhasesContext } from "../run-context.ts";
import type { PhaseResult } from "./phase.ts";

type ClosedPhase = { readonly progress: Progress; readonly result: PhaseResult };

/** Writes what a finished phase leaves for people and for later runs. */
export async function closePhase(
  verbs: Verbs<unknown>,
  context: PhasesContext,
  { progress, result }: ClosedPhase,
): Promise<void> {
  const { phase, work } = result;
  const text = formatPhaseReport(result, { task: context.task, kind: progress.plan.kind });
  await verbs.write(getPhaseReportPath(context.task, phase.phase_id), text);
  await promoteFacts(verbs, context, { progress, claims: work?.facts ?? [] });
  await writeNotes(verbs, context, { progress, phase });
}

/** @rule P-68 (declaration) Plans, phase reports, completion, outcomes and events have fixed file names. */
export const getPhaseReportPath = (task: string, id: number): string => `plans/${task}-phase-${id}-complete.md`;

type PhaseReportContext = { readonly task: string; readonly kind?: WorkKind | undefined };

export function formatPhaseReport(result: PhaseResult, { task, kind }: PhaseReportContext): string {
  const { phase, summaries, changed, verdicts, decision } = result;
  const formatList = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n") || "- none";
  const advisory = decision.findings.map((finding) => finding.message);
  // The kind `fix` applies to the code phases only, not to their documents.
  const own = { task_title: phase.title, phases: [phase], ...(getPhaseKind(phase) === "code" && { kind }) };
  return [
    `# Phase ${phase.phase_id} — ${phase.title}`,
    `TL;DR: ${formatRounds(summaries) || phase.objective}`,
    `## Files\n\n${formatList(changed)}`,
    `## Tests\n\n${formatList(phase.tests)}`,
    `## Review\n\n${formatReviews(verdicts)}`,
    `## Advisory\n\n${formatList(advisory)}`,
    `## Commit message\n\n${formatCommitSubject(own, task)}`,
    "",
  ].join("\n\n");
}

/** The first summary, then one per later round. */
const formatRounds = (summaries: readonly string[]): string =>
  summaries.map((summary, at) => (at === 0 ? summary : `Round ${at + 1}: ${summary}`)).join("\n\n");

/** The verdict of every round, with the issues that it raised. */
function formatReviews(verdicts: PhaseResult["verdicts"]): string {
  if (verdicts.length === 0) return "not reviewed: read-only phase";
  return verdicts
    .map((verdict, at) => {
      const raised = verdict.issues.map(
        ({ severity, description, file }) => `  - ${severity} ${description}${file ? ` (${file})` : ""}`,
      );
      return [`- round ${at + 1}: ${formatVerdictWord(verdict)}`, ...raised].join("\n");
    })
    .join("\n");
}
