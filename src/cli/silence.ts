import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AGENT_PATIENCE } from "../core/ports/processes.ts";
import type { World } from "../core/ports/world.ts";
import type { AgentView } from "../surfaces/terminal/run-view.ts";
import { layersOf } from "./layers.ts";
import type { RepositoryPlaces } from "./repository.ts";
import { settingsOf } from "./settings.ts";

type Parts = { readonly places: RepositoryPlaces; readonly world: World };
type Of = { readonly run: string; readonly pipeline: string };

/** How long each agent has said nothing, and how long it may still: as its output file tells it. */
export async function withSilence(
  { places, world }: Parts,
  { run, pipeline }: Of,
  agents: readonly AgentView[],
): Promise<readonly AgentView[]> {
  if (agents.length === 0) return agents;
  const { patience } = settingsOf(await layersOf(places), pipeline);
  const most = patience.silenceMs ?? AGENT_PATIENCE.silenceMs;
  return Promise.all(
    agents.map(async (agent) => {
      // The folder's name as the engine makes it.
      const spool = `${run}-${world.hash(agent.effect).slice(0, 16)}`;
      const said = await stat(join(places.runs, run, "spool", spool, "stdout")).catch(() => undefined);
      if (!said) return agent;
      const forMs = Math.max(0, world.now() - Math.max(said.mtimeMs, agent.startedAt));
      return { ...agent, silence: { forMs, leftMs: Math.max(0, most - forMs) } };
    }),
  );
}
