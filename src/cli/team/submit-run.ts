import { toJson } from "../../core/text/json.ts";
import type { AgentFlags } from "../agents/agents.ts";
import type { Project } from "../project/project.ts";
import type { Settings } from "../project/settings.ts";
import { readAgentScript, type TeamNotes } from "./notes.ts";
import { findPipelineSource, getPipelineLabel } from "./offers/labels.ts";
import { getPersonName } from "./person.ts";
import type { TeamRunStore } from "./team-store.ts";
import { recordTeamTrust } from "./trust.ts";

export type Submission = {
  readonly project: Project;
  readonly pipeline: string;
  readonly flags: AgentFlags;
  readonly settings: Settings;
};

/** Lists the labels that a worker must offer to drive the run. */
export function listRunLabels({ world }: TeamRunStore, { project, pipeline, settings }: Submission): readonly string[] {
  const { all, get } = project.pipelines;
  return [getPipelineLabel(world, findPipelineSource(all, get(pipeline))), ...(settings.team.labels ?? [])];
}

/**
 * Stores the start options and the trust record before the run exists, so that a worker that finds the run finds both.
 */
export async function noteSubmission(store: TeamRunStore, run: string, asked: Submission): Promise<void> {
  const { project, flags, settings } = asked;
  const { store: shared, name: repo } = store.team;
  const script = await readAgentScript(flags.agents);
  const notes: TeamNotes = {
    v: 1,
    by: getPersonName(store),
    trusted: project.repositoryCode.hash,
    needs: [...listRunLabels(store, asked)],
    agent: [...flags.agent],
    ...(script ? { script: [...script] } : {}),
    agents: settings.agents,
    patience: settings.patience,
    usageWindow: settings.usageWindow,
  };
  await recordTeamTrust({ trust: shared.trust, repo, repositoryCode: project.repositoryCode });
  await shared.notes.put(run, toJson(notes) ?? null);
}
