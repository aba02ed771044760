import { shellWord } from "../../core/text/shell-word.ts";
import { layersOf } from "../project/config-sources.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { settingsOf } from "../project/settings.ts";
import { readNotes } from "../start/start-notes.ts";

/**
 * The flags that gave a run its agents, for whoever starts one like it: without them nobody would play. Where the
 * configuration has somebody for every role, a plain line is enough.
 */
export async function startedWith(places: RepositoryPlaces, run: string): Promise<readonly string[]> {
  const { agents: file, agent = [] } = (await readNotes(places, run))?.agents ?? {};
  const flags = [
    ...(file === undefined ? [] : [`--agents ${shellWord(file)}`]),
    ...agent.map((each) => `--agent ${shellWord(each)}`),
  ];
  if (flags.length === 0) return [];
  // Where a run stands is told also while its configuration cannot be read.
  const layers = await layersOf(places).catch(() => []);
  return settingsOf(layers).agents["*"] === undefined ? flags : [];
}
