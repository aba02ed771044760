import type { Workspace } from "../../core/ports/workspace.ts";
import { gitWorkspace } from "../../workspace/workspace.ts";
import type { RunStore } from "./run-store.ts";

/** The repository that runs work on. Of a team's run what is not here is obtained from the remote that it travels over. */
export async function workspaceHere({ places, team }: Pick<RunStore, "places" | "team">): Promise<Workspace> {
  const { top: repo, cache } = places;
  return gitWorkspace({ repo, cache, ...(team ? { remote: team.remote } : {}) });
}
