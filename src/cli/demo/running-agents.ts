import { globSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DemoProject } from "./project.ts";

const PATIENCE_MS = 20_000;

/** Counts running agents by the marker files that they write when they start and end, which works without an engine. */
export function countRunningAgents(project: DemoProject): number {
  const countMarks = (name: string): number => globSync(join(project.repo, `.signalbox/runs/*/spool/*/${name}`)).length;
  return countMarks("leader") - countMarks("exit");
}

/** Waits until the number of running agents satisfies `holds`, or gives up. */
export async function waitForAgents(project: DemoProject, holds: (count: number) => boolean): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS && !holds(countRunningAgents(project)); waited += 25) await wait(25);
}
