import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AgentFlags } from "./agents.ts";
import type { RepositoryPlaces } from "./repository.ts";

/** Keeps what was said about agents with the run, so that `resume` needs no flags. */
export async function rememberAgents(places: RepositoryPlaces, run: string, flags: AgentFlags): Promise<void> {
  const folder = join(places.runs, run);
  await mkdir(folder, { recursive: true });
  const kept = { ...flags, ...(flags.agents === undefined ? {} : { agents: resolve(flags.agents) }) };
  await writeFile(join(folder, "agents.json"), JSON.stringify(kept));
}

export async function recallAgents(places: RepositoryPlaces, run: string): Promise<AgentFlags> {
  try {
    // Written above and by nobody else.
    return JSON.parse(await readFile(join(places.runs, run, "agents.json"), "utf8")) as AgentFlags;
  } catch {
    return { agent: [] };
  }
}
