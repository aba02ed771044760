import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AGENT_TIME_LIMITS } from "../../core/ports/processes.ts";
import type { World } from "../../core/ports/world.ts";
import type { AgentView } from "../../views/attempts.ts";
import { loadConfigLayers } from "./config-sources.ts";
import type { RepositoryPlaces } from "./repository.ts";
import { resolveSettings } from "./settings.ts";

type IdleTimeInputs = { readonly places: RepositoryPlaces; readonly world: World };
type RunRef = { readonly run: string; readonly pipeline: string };

/** Adds to each agent how long it has been idle and how long it may still be, based on the files of its process. */
export async function addIdleTimes(
  { places, world }: IdleTimeInputs,
  { run, pipeline }: RunRef,
  agents: readonly AgentView[],
): Promise<readonly AgentView[]> {
  if (agents.length === 0) return agents;
  const { patience } = resolveSettings(await loadConfigLayers(places), pipeline);
  const most = patience.silenceMs ?? AGENT_TIME_LIMITS.silenceMs;
  return Promise.all(
    agents.map(async (agent) => {
      // Must match the folder name that the engine uses.
      const spool = `${run}-${world.hash(agent.effect).slice(0, 16)}`;
      const times = await Promise.all(
        ACTIVITY_FILES.map((name) => getChangeTime(join(places.runs, run, "spool", spool, name))),
      );
      if (times.every((time) => time === 0)) return agent;
      const forMs = Math.max(0, world.now() - Math.max(...times, agent.startedAt));
      return { ...agent, silence: { forMs, leftMs: Math.max(0, most - forMs) } };
    }),
  );
}

/** Output files, and the marker of activity without output. */
const ACTIVITY_FILES = ["stdout", "stderr", "worked"];

async function getChangeTime(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}
