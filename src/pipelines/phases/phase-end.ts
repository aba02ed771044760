import type { Verbs } from "../../core/verbs.ts";
import type { Context } from "./context.ts";
import { promoteFacts } from "./facts.ts";
import { commitMessage } from "./message.ts";
import { writeNotes } from "./notes.ts";
import type { PhaseResult } from "./phase.ts";
import type { Site } from "./site.ts";

type Ended = { readonly site: Site; readonly result: PhaseResult };

/** What every finished phase leaves for people and for later runs. */
export async function closePhase(verbs: Verbs<unknown>, context: Context, { site, result }: Ended): Promise<void> {
  const { phase, work } = result;
  await verbs.write(completePath(context.task, phase.phase_id), completeText(result, context.task));
  await promoteFacts(verbs, context, { site, claims: work?.facts ?? [] });
  await writeNotes(verbs, context, { site, phase });
}

export const completePath = (task: string, id: number): string => `plans/${task}-phase-${id}-complete.md`;

export function completeText({ phase, work, changed, verdicts, decision }: PhaseResult, task: string): string {
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n") || "- none";
  const advisory = decision.findings.map((finding) => finding.message);
  return [
    `# Phase ${phase.phase_id} — ${phase.title}`,
    `TL;DR: ${work?.summary || phase.objective}`,
    `## Files\n\n${list(changed)}`,
    `## Tests\n\n${list(phase.tests)}`,
    `## Review\n\n${verdicts.at(-1)?.status ?? "not reviewed: the phase only reads"}`,
    `## Advisory\n\n${list(advisory)}`,
    `## Commit message\n\n${commitMessage({ task_title: phase.title, phases: [phase] }, task)}`,
    "",
  ].join("\n\n");
}
