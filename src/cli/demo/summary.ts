import { counted } from "../../core/text/counted.ts";
import type { Story } from "./story.ts";

/** The story in a few counts. */
export function summaryLines(story: Story): string[] {
  const { adopted, interrupted, repeated, refuted, tampered, approvals } = story;
  const names = (tasks: readonly string[]): string => tasks.join(", ") || "none";
  return [
    `  ${counted(story.dispatches, "dispatch", "dispatches")}, up to ${story.sideBySide} side by side; ${counted(story.retried, "failure")} retried`,
    ...(story.refusedGates > 0
      ? [`  ${counted(story.refusedGates, "gate")} refused work, all of it came back and passed`]
      : []),
    ...(refuted.length + tampered.length > 0
      ? [`  claims that the evidence contradicted: ${names(refuted)} · tests weakened and caught: ${names(tampered)}`]
      : []),
    `  ${counted(story.engines, "engine")}${story.engines > 1 ? ", one killed" : ""}: ${counted(adopted, "finished agent")} adopted, ${interrupted} sent again, ${repeated} finished steps repeated`,
    `  ${counted(approvals.length, "approval")}, ${counted(story.commits, "commit")}`,
  ];
}
