import type { Workspace } from "../../core/ports/workspace.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";
import type { RunStore } from "./run-store.ts";

/**
 * Opens the repository that runs work on. Objects of a team's run that are missing here are fetched from its remote.
 */
export async function openRunWorkspace({ places, team }: Pick<RunStore, "places" | "team">): Promise<Workspace> {
  const { top: repo, cache } = places;
  return gitWorkspace({ repo, cache, ...(team ? { remote: team.remote } : {}) });
}
