import type { Story } from "./story.ts";

/** The story in a few counts. */
export function summaryLines(story: Story): string[] {
  const { adopted, interrupted, repeated, refuted, tampered, approvals } = story;
  const names = (tasks: readonly string[]): string => tasks.join(", ") || "none";
  return [
    `  ${count(story.dispatches, "dispatch", "dispatches")}, up to ${story.sideBySide} side by side; ${count(story.retried, "failure")} retried`,
    ...(story.refusedGates > 0
      ? [`  ${count(story.refusedGates, "gate")} refused work, all of it came back and passed`]
      : []),
    ...(refuted.length + tampered.length > 0
      ? [`  claims that the evidence contradicted: ${names(refuted)} · tests weakened and caught: ${names(tampered)}`]
      : []),
    `  ${count(story.engines, "engine")}, one killed: ${count(adopted, "finished agent")} adopted, ${interrupted} sent again, ${repeated} finished steps repeated`,
    `  ${count(approvals.length, "approval")}, ${count(story.commits, "commit")}`,
  ];
}

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;
