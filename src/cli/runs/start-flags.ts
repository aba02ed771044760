import { quoteShellWord } from "../../core/text/shell-word.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { resolveSettings } from "../project/settings.ts";
import { readStartNotes } from "../start/start-notes.ts";

/**
 * Returns the agent flags that the run was started with, for suggesting a similar command. Returns none if the
 * configuration assigns every role.
 */
export async function readStartFlags(places: RepositoryPlaces, run: string): Promise<readonly string[]> {
  const { agents: file, agent = [] } = (await readStartNotes(places, run))?.agents ?? {};
  const flags = [
    ...(file === undefined ? [] : [`--agents ${quoteShellWord(file)}`]),
    ...agent.map((each) => `--agent ${quoteShellWord(each)}`),
  ];
  if (flags.length === 0) return [];
  // The status of a run is displayed even if its configuration cannot be read.
  const layers = await loadConfigLayers(places).catch(() => []);
  return resolveSettings(layers).agents["*"] === undefined ? flags : [];
}
