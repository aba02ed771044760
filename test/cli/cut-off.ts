import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Scene } from "./scene.ts";

/** The first file that the agent writes before it continues without end. */
export const HALF = "half.txt";

/**
 * Runs `small` until its agent has done half of its work, then sends the signal to the engine. Returns the run's id.
 */
export async function cutOff(scene: Scene, agent: string, signal: NodeJS.Signals): Promise<string> {
  const talk = scene.start("run", "small", "x", "--agent", `*=${agent}`, "--json");
  const ended = talk.ended.then(({ out, err }) => Promise.reject(new Error(`it ended before: ${out}${err}`)));
  const { run } = await Promise.race([talk.heard("agent.started"), ended]);
  await Promise.race([waitForHalf(scene), ended]);
  ended.catch(() => undefined);
  talk.kill(signal);
  await talk.ended;
  return String(run);
}

async function waitForHalf(scene: Scene): Promise<void> {
  const attempts = join(getCacheFolder(scene), "attempts");
  while (!listEntries(attempts).some((name) => existsSync(join(attempts, name, HALF)))) await wait(20);
}

/** Folders and homes of attempts that still exist. */
export function leftBehind(scene: Scene): readonly string[] {
  return ["attempts", "homes"].flatMap((folder) => listEntries(join(getCacheFolder(scene), folder)));
}

const getCacheFolder = ({ repo }: Scene): string => join(dirname(repo), "cache", "signalbox");

function listEntries(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== ".git") : [];
}
