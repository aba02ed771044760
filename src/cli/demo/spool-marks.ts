import { globSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DemoProject } from "./project.ts";

const PATIENCE_MS = 20_000;

/** Agents leave a mark in their spool when they begin and when they end, with or without an engine to see it. */
export function agentsAtWork(project: DemoProject): number {
  const marks = (name: string): number => globSync(join(project.repo, `.signalbox/runs/*/spool/*/${name}`)).length;
  return marks("leader") - marks("exit");
}

/** Waits until so many are at work, or until it is clear that they never will be. */
export async function untilAtWork(project: DemoProject, holds: (count: number) => boolean): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS && !holds(agentsAtWork(project)); waited += 25) await wait(25);
}
