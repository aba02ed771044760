import { counted } from "../../core/text/count.ts";
import type { DemoSummary } from "./demo-summary.ts";

/** Formats the counts of a demo run. */
export function formatDemoSummary(story: DemoSummary): string[] {
  const { adopted, interrupted, repeated, refuted, tampered, approvals } = story;
  const joinNames = (tasks: readonly string[]): string => tasks.join(", ") || "none";
  return [
    `  ${counted(story.dispatches, "dispatch", "dispatches")}, up to ${story.sideBySide} in parallel; ${counted(story.retried, "failure")} retried`,
    ...(story.refusedGates > 0
      ? [`  ${counted(story.refusedGates, "gate")} refused work; all of it passed after revision`]
      : []),
    ...(refuted.length + tampered.length > 0
      ? [`  claims contradicted by evidence: ${joinNames(refuted)} · weakened tests caught: ${joinNames(tampered)}`]
      : []),
    `  ${counted(story.engines, "engine")}${story.engines > 1 ? ", one killed" : ""}: ${counted(adopted, "finished agent")} adopted, ${interrupted} restarted, ${repeated} finished steps repeated`,
    `  ${counted(approvals.length, "approval")}, ${counted(story.commits, "commit")}`,
  ];
}
